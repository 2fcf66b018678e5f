import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import { PROBES } from '../../../model/tracepoint/probe-functions.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { named, rarely } from './weighed.ts';

/** One or two tracepoints that a sequence is drawn for. */
export const tracepointLists: fc.Arbitrary<readonly DeclaredTracepoint[]> = fc.subarray([...TRACEPOINTS], {
  minLength: 1,
  maxLength: 2,
});

const KIND = fc.constantFrom('raw_tp' as const, 'tp' as const);

/** Programs and links of tracepoints. */
export const PROG = fc.integer({ min: 1, max: 3 });
export const LINK = named('link', 4);

/** Probes of clients: functions of theirs, each with data. */
export function probesOn(tracepoints: readonly DeclaredTracepoint[]) {
  const tracepoint = fc.constantFrom(...tracepoints.map(({ name }) => name));
  return { tracepoint, func: fc.constantFrom(...PROBES), data: named('data', 3) };
}

/** Programs on tracepoints. One name in thirty is that of none. */
export function opens(tracepoints: readonly DeclaredTracepoint[]): fc.Arbitrary<Action> {
  const opened = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...tracepoints.map(({ name }) => name)) },
    { weight: 1, arbitrary: fc.constant('not_a_tracepoint') },
  );
  return fc
    .tuple(LINK, PROG, opened)
    .map(([link, prog, tracepoint]) => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link, prog, tracepoint }));
}

/** Perf events, and the programs on them. */
export const EVENT = named('perf', 3);

export function eventsOn(tracepoints: readonly DeclaredTracepoint[]) {
  return { event: EVENT, tracepoint: fc.constantFrom(...tracepoints.map(({ name }) => name)) };
}

/** Programs that read all arguments, or one or two of them, existing or not. */
export function loadsForTracepoints(tracepoints: readonly DeclaredTracepoint[]): fc.Arbitrary<Action> {
  const most = Math.max(...tracepoints.map(({ args }) => args.length));
  const numbers = fc.uniqueArray(fc.nat(most), { minLength: 1, maxLength: 2 });
  return fc
    .tuple(PROG, fc.option(numbers), fc.boolean(), rarely, KIND)
    .map(([id, read, hasCookie, sleepable, probe]) => ({
      do: 'BPF_PROG_LOAD',
      program: {
        ...plainProgram(id),
        reads: 'direct',
        cookie: hasCookie ? fromNumber(id) : ZERO,
        sleepable,
        ...(read === null ? {} : { accesses: read.toSorted((a, b) => a - b) }),
      },
      target: '',
      probe,
      returns: ZERO,
    }));
}
