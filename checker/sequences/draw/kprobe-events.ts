import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { ProgId } from '../../../model/core/ids.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { rarely } from './weighed.ts';

/*
 * Perf events on kprobes. Their names are no names of events on tracepoints, and their programs and links no others.
 */

export const KPROBE_EVENT = fc.constantFrom('perf#4', 'perf#5');
export const KPROBE_PROG = fc.constantFrom(12, 13);
export const KPROBE_LINK = fc.constantFrom('link#12', 'link#13');

/** The program that a scenario gives an event: each has another. */
export function programOfEvent(event: string): ProgId {
  return event === 'perf#4' ? 12 : 13;
}

/**
 * Programs of the type, most of which call bpf_get_func_ip(); one that may sleep is for uprobes alone, and few are loaded for
 * kprobe.multi.
 */
export const loadsForKprobes: fc.Arbitrary<Action> = fc
  .tuple(KPROBE_PROG, fc.boolean(), rarely, rarely, rarely)
  .map(([id, hasCookie, asksNothing, sleepable, isMulti]) => ({
    do: 'BPF_PROG_LOAD',
    program: {
      ...plainProgram(id),
      reads: 'direct',
      cookie: hasCookie ? fromNumber(id) : ZERO,
      getFuncIp: !asksNothing,
      sleepable,
    },
    target: '',
    probe: isMulti ? 'entry' : 'kprobe',
    returns: ZERO,
  }));
