import fc from 'fast-check';
import type { Action } from '../../../model/action.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import { PROBES } from '../../../model/tracepoint/probe-functions.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { hitOf } from '../../../properties/observed/sample-call.ts';
import { actions, named, rarely, weighed } from './weighed.ts';

/** One or two tracepoints that a sequence is drawn for. */
export const tracepointLists: fc.Arbitrary<readonly DeclaredTracepoint[]> = fc.subarray([...TRACEPOINTS], {
  minLength: 1,
  maxLength: 2,
});

/** Actions on these tracepoints, each kind as often as its weight says. One name in thirty is that of no tracepoint. */
export function actionsOnTracepoints(tracepoints: readonly DeclaredTracepoint[]): fc.Arbitrary<Action> {
  const names = tracepoints.map(({ name }) => name);
  const tracepoint = fc.constantFrom(...names);
  const probe = { tracepoint, func: fc.constantFrom(...PROBES), data: named('data', 3) };
  const prio = fc.constantFrom(DEFAULT_PRIO, DEFAULT_PRIO, DEFAULT_PRIO, 5, 20);
  const opened = fc.oneof(
    { weight: 30, arbitrary: tracepoint },
    { weight: 1, arbitrary: fc.constant('not_a_tracepoint') },
  );
  const prog = fc.integer({ min: 1, max: 3 });
  const link = named('link', 4);
  return fc.oneof(
    weighed(
      20,
      fc.tuple(fc.constantFrom(...tracepoints), fc.nat(7)).map(([one, salt]) => hitOf(one, salt)),
    ),
    actions(12, 'tracepoint_probe_register_prio', { ...probe, prio }),
    actions(12, 'tracepoint_probe_unregister', probe),
    weighed(6, loads(tracepoints)),
    weighed(
      10,
      fc
        .tuple(link, prog, opened)
        .map(([on, id, name]) => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: on, prog: id, tracepoint: name })),
    ),
    actions(6, 'close(link)', { link }),
    actions(1, 'close(prog)', { prog }),
    weighed(3, fc.constant({ do: 'settle' })),
  );
}

/** Programs that read all arguments, or one or two of them, be they there or not. */
function loads(tracepoints: readonly DeclaredTracepoint[]): fc.Arbitrary<Action> {
  const most = Math.max(...tracepoints.map(({ args }) => args.length));
  const numbers = fc.uniqueArray(fc.nat(most), { minLength: 1, maxLength: 2 });
  return fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.option(numbers), fc.boolean(), rarely)
    .map(([id, read, hasCookie, sleepable]) => ({
      do: 'BPF_PROG_LOAD',
      program: {
        ...plainProgram(id),
        reads: 'direct',
        cookie: hasCookie ? fromNumber(id) : ZERO,
        sleepable,
        ...(read === null ? {} : { accesses: read.toSorted((a, b) => a - b) }),
      },
      target: '',
      probe: 'raw_tp',
      returns: ZERO,
    }));
}
