import type { FprobeId, FunctionName, Ip } from '../../core/ids.ts';
import { profileNamed } from '../../core/profile.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import type { Cpu } from '../../text/cpu.ts';
import { fromNumber, toHex } from '../../x86/word.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import type { Handling } from './handling.ts';
import { fprobeInMemory } from './in-memory.ts';
import type { SharedWithKprobes } from './kprobe-busy.ts';
import { asKprobe } from './kprobe-busy.ts';
import { enterProgram, funcIp, runProgram } from './kprobe-multi.ts';
import type { AtSite } from './regs.ts';
import { argumentsOf } from './regs.ts';

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

/** The walk of fprobe_ftrace_entry() over the fprobes of a function. */
interface OnTable extends Handling, Guarded, SharedWithKprobes {
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
      ...asKprobe(words, calledAtEntry, [
        enterProgram(words, 'entry', calledAtEntry),
        step('call the entry handler', (k, locals) => {
          const name = calledAtEntry(k, locals);
          if (name !== '') fprobeEntry(k, locals, name);
        }),
      ]),
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
export function readFprobe(k: ProbeView, locals: Pick<OnTable, 'node' | 'fprobe' | 'hit'>): void {
  const { node } = locals;
  locals.fprobe = nodesOf(k, locals.hit.ip).includes(node) ? node : '';
}
