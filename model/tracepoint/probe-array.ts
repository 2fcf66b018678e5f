import type { Errno } from '../core/errno.ts';
import type { TracepointFunc } from './tracepoint.ts';
import { TP_STUB_FUNC } from './tracepoint.ts';

/*
 * func_add() and func_remove(), kernel/tracepoint.c: the next array of probes, as functions of the array alone. A
 * reader sees the old array or the new one.
 */

/** The same function with the same data: other data make it another probe. */
export function isSameProbe(a: TracepointFunc, b: Pick<TracepointFunc, 'func' | 'data'>): boolean {
  return a.func === b.func && a.data === b.data;
}

/** Why a probe cannot be added. */
export function refuseAdded(
  old: readonly TracepointFunc[] | undefined,
  probe: TracepointFunc,
): Errno | undefined {
  return (old ?? []).some((tracepointFunc) => isSameProbe(tracepointFunc, probe)) ? 'EEXIST' : undefined;
}

/** The array with one more probe: before the first of lower priority, after those of the same. */
export function added(old: readonly TracepointFunc[] | undefined, probe: TracepointFunc): TracepointFunc[] {
  const kept = (old ?? []).filter(({ func }) => func !== TP_STUB_FUNC);
  const index = kept.findIndex(({ prio }) => prio < probe.prio);
  return kept.toSpliced(index < 0 ? kept.length : index, 0, probe);
}

/** The array without a probe, and without tp_stub_func() entries; undefined: none is left, NULL. */
export function removed(
  old: readonly TracepointFunc[],
  probe: Pick<TracepointFunc, 'func' | 'data'>,
): TracepointFunc[] | undefined {
  const kept = old.filter(
    (tracepointFunc) => !isSameProbe(tracepointFunc, probe) && tracepointFunc.func !== TP_STUB_FUNC,
  );
  return kept.length === 0 ? undefined : kept;
}
