import type { FprobeId, FunctionName, Ip } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { fromNumber, toHex } from '../../x86/word.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { rethookHook, rethookRecycle, rethookTryGet } from '../rethook.ts';
import type { Handling } from './handling.ts';
import { fprobeInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { argumentsOf, parentSlot } from './regs.ts';

/** What an entry handler answers and leaves. */
interface Entered {
  /** The exit handler shall not run. */
  readonly refused: boolean;
  /** The word that it has written to its entry data; empty: none. */
  readonly left: string;
}

/** The entry handler of an fprobe. It has memory for entry data where there is an exit handler to find it. */
export function fprobeEntry(k: ProbeView, locals: AtSite, name: FprobeId): Entered {
  const { entry, exit, prog, vetoes, entryDataSize } = fprobeInMemory(k, name, '__fprobe_handler');
  if (!entry) return { refused: false, left: '' };
  const fn = locals.hit.ip;
  const { events } = locals.cpu;
  if (prog > 0) {
    events.push({ kind: 'kprobe.multi', who: `prog#${prog}`, fn, args: argumentsOf(locals) });
    return { refused: vetoes, left: '' };
  }
  const left = exit && entryDataSize > 0 ? numberOfEvent(locals.cpu) : '';
  events.push({ kind: 'fprobe entry', who: name, fn, ...(left === '' ? {} : { entryData: left }) });
  return { refused: vetoes, left };
}

/** No other handler of the run has this number. */
function numberOfEvent({ events }: Cpu): string {
  return toHex(fromNumber(events.length + 1));
}

/** The exit handler of an fprobe, and the word in its entry data; empty: none. */
export function fprobeExit(k: ProbeView, cpu: Cpu, name: FprobeId, returns: FprobeReturns): void {
  const { exit, prog } = fprobeInMemory(k, name, 'fprobe_exit_handler');
  if (!exit) return;
  const { fn, ret, found } = returns;
  if (prog > 0) cpu.events.push({ kind: 'kprobe.multi return', who: `prog#${prog}`, fn, ret });
  else
    cpu.events.push({
      kind: 'fprobe exit',
      who: name,
      fn,
      ret,
      ...(found === '' ? {} : { entryData: found }),
    });
}

interface FprobeReturns {
  readonly fn: FunctionName;
  readonly ret: string;
  readonly found: string;
}

interface Probing extends Handling {
  /** A node for the return: taken, not wanted, or there is none left. */
  node: 'taken' | 'not wanted' | 'missed';
  /** The entry handler does not want the return. */
  refused: boolean;
  /** What it left in the node; empty: nothing. */
  left: string;
}

/** fprobe_handler() (5.18 to 6.13): without a free node not even the entry handler runs. */
export const fprobeHandler = routine<ProbeWorld, Handling, Probing>('fprobe_handler', (words) => {
  const { step, when } = words;
  return withoutPreemption(words, [
    step('take a node', takeNode),
    when('none is missing', (_, { node }) => node !== 'missed', [
      step('call the entry handler', (k, locals) => {
        Object.assign(locals, fprobeEntry(k, locals, fprobeOf(locals)));
      }),
      step('hook the return', hookReturn),
    ]),
  ]);
});

function fprobeOf({ ops }: Handling): string {
  return ops.replace(/\.ops$/, '');
}

/** A dead ftrace does not take an ops off its list, and the link that the fprobe is part of is freed all the same. */
function takeNode(k: ProbeWorld, locals: Probing): void {
  const name = fprobeOf(locals);
  const fprobe = k.probes.fprobes[name];
  if (fprobe === undefined) throw new Oops({ is: 'reused fprobe' });
  if (!fprobe.exit) locals.node = 'not wanted';
  else if (rethookTryGet(k, name)) locals.node = 'taken';
  else {
    locals.node = 'missed';
    fprobe.nmissed++;
  }
}

function hookReturn(k: ProbeWorld, locals: Probing): void {
  if (locals.node !== 'taken') return;
  const name = fprobeOf(locals);
  const { left } = locals;
  if (locals.refused) rethookRecycle(k, name);
  else
    rethookHook(
      k,
      locals.cpu,
      { rethook: name, fn: locals.hit.ip, ...(left === '' ? {} : { data: left }) },
      parentSlot(locals),
      addressOf(k, 'arch_rethook_trampoline'),
    );
}

interface OnTable extends Handling {
  /** The node of the function's list that is looked at, and the fprobe that it has; empty: it has left. */
  node: string;
  fprobe: FprobeId;
}

/** fprobe_ftrace_entry() (6.19): the fprobes of a function that want its entry only. */
export const fprobeFtraceEntry = routine<ProbeWorld, Handling, OnTable>('fprobe_ftrace_entry', (words) => {
  const { each, step } = words;
  return withoutPreemption(words, [
    each<string>('a node', (k, { hit }) => nodesOf(k, hit.ip), takeNodeOf, [
      step('read its fprobe', readFprobe),
      step('call the entry handler', (k, locals) => {
        const name = locals.fprobe;
        if (name !== '' && !fprobeInMemory(k, name, 'fprobe_ftrace_entry').exit) fprobeEntry(k, locals, name);
      }),
    ]),
  ]);
});

/** The nodes of a function in the table of fprobes. */
export function nodesOf(k: ProbeView, ip: Ip): readonly FprobeId[] {
  return k.probes.fprobeTable[ip] ?? [];
}

export function takeNodeOf(locals: { node: string }, node: string): void {
  locals.node = node;
}

/** `node->fp`: an fprobe that is unregistered is no longer in its nodes, and freed after a grace period. */
export function readFprobe(k: ProbeView, locals: Omit<OnTable, 'ops'>): void {
  const { node } = locals;
  locals.fprobe = nodesOf(k, locals.hit.ip).includes(node) ? node : '';
}
