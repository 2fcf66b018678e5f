import type { Errno } from '../../model/core/errno.ts';
import { item, present } from '../../model/core/present.ts';
import type { CallSeen } from './call-seen.ts';
import type { Calls, ShownCall } from './history.ts';

/** The point where one operation has different observations in two kernels, and both observations. */
export type Difference =
  /** The client gets another answer. */
  | { readonly is: 'answer'; readonly answer: Errno | 0; readonly other: Errno | 0 }
  /** One of the kernels crashed or hung. */
  | { readonly is: 'death'; readonly dies: boolean }
  | { readonly is: 'warning'; readonly warns: boolean }
  /** Calls after the operation have other events. */
  | { readonly is: 'after'; readonly fn: string; readonly seen: CallSeen; readonly other: CallSeen }
  /** A call in the middle has events that are neither those before nor those after, nor those of the other kernel. */
  | {
      readonly is: 'between';
      readonly fn: string;
      readonly seen: CallSeen;
      readonly before: CallSeen;
      readonly after: CallSeen;
      readonly others: readonly CallSeen[];
    }
  /** Different closed programs still exist. */
  | { readonly is: 'kept'; readonly kept: readonly number[]; readonly other: readonly number[] };

/**
 * How the observation of `a` is not among those that `b` allows; undefined when it is. Both kernels had equal
 * observations before, where calls showed `before`.
 */
export function differenceOf(a: ShownCall, b: ShownCall, before: Calls): Difference | undefined {
  const index = a.answers.findIndex((answer, i) => answer !== b.answers[i]);
  if (index >= 0) return { is: 'answer', answer: item(a.answers, index), other: item(b.answers, index) };
  if (a.died !== b.died) return { is: 'death', dies: a.died };
  if (a.warned !== b.warned) return { is: 'warning', warns: a.warned };
  for (const [fn, seen] of a.after) {
    const other = present(b.after.get(fn), fn);
    if (seen !== other) return { is: 'after', fn, seen, other };
  }
  return (
    differenceBetween(a, b, before) ??
    (a.kept.join() === b.kept.join() ? undefined : { is: 'kept', kept: a.kept, other: b.kept })
  );
}

function differenceBetween(a: ShownCall, b: ShownCall, before: Calls): Difference | undefined {
  for (const [fn, all] of a.between) {
    const others = b.between.get(fn) ?? [];
    const seen = all.find((name) => !others.includes(name));
    if (seen === undefined) continue;
    return {
      is: 'between',
      fn,
      seen,
      before: present(before.get(fn), fn),
      after: a.after.get(fn) ?? seen,
      others,
    };
  }
  return undefined;
}
