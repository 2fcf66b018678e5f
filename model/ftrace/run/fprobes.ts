import type { FprobeId, FunctionName, Ip } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import { profileNamed } from '../../core/profile.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { fromNumber, toHex } from '../../x86/word.ts';
import type { Fprobe, ProbeView, ProbeWorld } from '../probes.ts';
import { rethookHook, rethookRecycle, rethookTryGet } from '../rethook.ts';
import type { Handling } from './handling.ts';
import { fprobeInMemory } from './in-memory.ts';
import { enterProgram, funcIp, runProgram } from './kprobe-multi.ts';
import type { AtSite } from './regs.ts';
import { argumentsOf, parentSlot } from './regs.ts';

/*
 * The entry handlers of fprobes, on rethook (one fprobe for each ops) and on function graph (a table of all), and
 * what both share: the call of a handler.
 */

/** What an entry handler answers, and what it leaves for the exit handler. */
interface Entered {
  /** Nonzero: the exit handler will not run for this call. */
  readonly refused: boolean;
  /** The word that it wrote to its entry data; empty: none. */
  readonly left: string;
}

/** `fp->entry_handler`. It has entry data only where an exit handler can find it. */
export function fprobeEntry(k: ProbeWorld, locals: AtSite, name: FprobeId): Entered {
  const fprobe = fprobeInMemory(k, name, '__fprobe_handler');
  const { entry, exit, prog, vetoes, entryDataSize } = fprobe;
  if (!entry) return { refused: false, left: '' };
  const fn = locals.hit.ip;
  const { events } = locals.cpu;
  if (prog > 0) {
    const ran = runProgram(k, name, () =>
      events.push({
        kind: 'kprobe.multi',
        who: `prog#${prog}`,
        fn,
        args: argumentsOf(locals),
        ...funcIp(k, fprobe, fn),
      }),
    );
    return { refused: ran ? vetoes : profileNamed(k.profile).skippedSessionVetoes, left: '' };
  }
  const left = exit && entryDataSize > 0 ? numberOfEvent(locals.cpu) : '';
  events.push({ kind: 'fprobe entry', who: name, fn, ...(left === '' ? {} : { entryData: left }) });
  return { refused: vetoes, left };
}

/** A number that no other handler of the run has. */
function numberOfEvent({ events }: Cpu): string {
  return toHex(fromNumber(events.length + 1));
}

/** `fp->exit_handler`, and the word in its entry data; empty: none. */
export function fprobeExit(k: ProbeWorld, cpu: Cpu, name: FprobeId, returns: FprobeReturns): void {
  const fprobe = fprobeInMemory(k, name, 'fprobe_exit_handler');
  const { exit, prog } = fprobe;
  if (!exit) return;
  const { fn, ret, found } = returns;
  if (prog > 0)
    runProgram(k, name, () =>
      cpu.events.push({
        kind: 'kprobe.multi return',
        who: `prog#${prog}`,
        fn,
        ret,
        ...funcIp(k, fprobe, fn),
      }),
    );
  else
    cpu.events.push({
      kind: 'fprobe exit',
      who: name,
      fn,
      ret,
      ...(found === '' ? {} : { entryData: found }),
    });
}

/** The arguments of an exit handler: function, return value, entry data. */
interface FprobeReturns {
  readonly fn: FunctionName;
  readonly ret: string;
  readonly found: string;
}

/** An fprobe on rethook at a hit. */
interface Probing extends Handling, Guarded {
  /** rethook_try_get(): taken, not wanted (no exit handler), or none left. */
  node: 'taken' | 'not wanted' | 'missed';
  /** The entry handler does not want the return. */
  refused: boolean;
  /** What it left in the node; empty: nothing. */
  left: string;
}

/**
 * fprobe_handler() (5.18 to 6.13). The node is taken before the entry handler runs: without a free one the call
 * is counted as missed, and not even the entry handler sees it. A handler that answers nonzero gives the node
 * back.
 */
export const fprobeHandler = routine<ProbeWorld, Handling, Probing>('fprobe_handler', (words) => {
  const { step, when } = words;
  return guarded(
    words,
    TRACE_FTRACE_START,
    [
      // Before the entry handler, which does not run if there is none.
      step('take a node', takeNode),
      when('none is missing', (_, { node }) => node !== 'missed', [
        enterProgram(words, 'entry', (_, locals) => fprobeOf(locals)),
        step('call the entry handler', (k, locals) => {
          Object.assign(locals, fprobeEntry(k, locals, fprobeOf(locals)));
        }),
        step('hook the return', hookReturn),
      ]),
    ],
    [step('count the miss', countMiss)],
  );
});

function countMiss(k: ProbeWorld, locals: Probing): void {
  handled(k, fprobeOf(locals)).nmissed++;
}

/** container_of(ops, struct fprobe, ops). */
function fprobeOf({ ops }: Handling): string {
  return ops.replace(/\.ops$/, '');
}

/** With ftrace dead the ops stays on its list, and the link that embeds the fprobe is freed all the same. */
function handled({ probes }: ProbeWorld, name: FprobeId): Fprobe {
  const fprobe = probes.fprobes[name];
  if (fprobe === undefined) throw new Oops({ is: 'reused fprobe' });
  return fprobe;
}

function takeNode(k: ProbeWorld, locals: Probing): void {
  const name = fprobeOf(locals);
  const fprobe = handled(k, name);
  if (!fprobe.exit) locals.node = 'not wanted';
  else if (rethookTryGet(k, name)) locals.node = 'taken';
  else {
    locals.node = 'missed';
    fprobe.nmissed++;
  }
}

/** rethook_hook(), unless the entry handler has refused. */
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

/** The walk of fprobe_ftrace_entry() over the fprobes of a function. */
interface OnTable extends Handling, Guarded {
  /** The current node of the function's list, and its fprobe; empty: it has been unregistered. */
  node: string;
  fprobe: FprobeId;
}

/**
 * fprobe_ftrace_entry() (6.19): the fprobes of a function that have no exit handler. The list is walked under
 * RCU; an fprobe that is unregistered meanwhile is skipped.
 */
export const fprobeFtraceEntry = routine<ProbeWorld, Handling, OnTable>('fprobe_ftrace_entry', (words) => {
  const { each, step } = words;
  return guarded(words, TRACE_FTRACE_START, [
    each<string>('a node', (k, { hit }) => nodesOf(k, hit.ip), takeNodeOf, [
      step('read its fprobe', readFprobe),
      enterProgram(words, 'entry', calledAtEntry),
      step('call the entry handler', (k, locals) => {
        const name = calledAtEntry(k, locals);
        if (name !== '') fprobeEntry(k, locals, name);
      }),
    ]),
  ]);
});

/** The fprobe whose entry handler is called here; empty: none. */
function calledAtEntry(k: ProbeView, { fprobe }: OnTable): FprobeId {
  return fprobe === '' || fprobeInMemory(k, fprobe, 'fprobe_ftrace_entry').exit ? '' : fprobe;
}

/** `rhltable_lookup()` of the function in `fprobe_ip_table`. */
export function nodesOf(k: ProbeView, ip: Ip): readonly FprobeId[] {
  return k.probes.fprobeTable[ip] ?? [];
}

/** The next node of a walk over `fprobe_ip_table` or over the headers of a frame. */
export function takeNodeOf(locals: { node: string }, node: string): void {
  locals.node = node;
}

/** `node->fp`: NULL once its fprobe is unregistered, which is freed after a grace period. */
export function readFprobe(k: ProbeView, locals: Omit<OnTable, 'ops' | 'bit'>): void {
  const { node } = locals;
  locals.fprobe = nodesOf(k, locals.hit.ip).includes(node) ? node : '';
}
