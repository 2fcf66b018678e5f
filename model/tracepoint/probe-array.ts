import type { Errno } from '../core/errno.ts';
import type { TracepointFunc } from './tracepoint.ts';
import { TP_STUB_FUNC } from './tracepoint.ts';

/*
 * func_add() and func_remove(), kernel/tracepoint.c: what becomes of an array of probes, as functions of the array alone.
 * Whoever walks through the array sees the old one or the new one.
 */

export function isSameProbe(a: TracepointFunc, b: Pick<TracepointFunc, 'func' | 'data'>): boolean {
  return a.func === b.func && a.data === b.data;
}

/** Why a probe cannot be added; a function with other data is another probe. */
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

/** The array without a probe, and without what has been taken the place of others; undefined: none is left, NULL. */
export function removed(
  old: readonly TracepointFunc[],
  probe: Pick<TracepointFunc, 'func' | 'data'>,
): TracepointFunc[] | undefined {
  const kept = old.filter(
    (tracepointFunc) => !isSameProbe(tracepointFunc, probe) && tracepointFunc.func !== TP_STUB_FUNC,
  );
  return kept.length === 0 ? undefined : kept;
}
