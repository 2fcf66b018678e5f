import type { Errno } from '../../model/core/errno.ts';
import { item, present } from '../../model/core/present.ts';
import type { CallSeen } from './call-seen.ts';
import type { Calls, ShownCall } from './history.ts';

/** Where one operation shows something else in two kernels, and what it shows there and there. */
export type Difference =
  /** The client is answered something else. */
  | { readonly is: 'answer'; readonly answer: Errno | 0; readonly other: Errno | 0 }
  /** One of the kernels crashed or hung. */
  | { readonly is: 'death'; readonly dies: boolean }
  | { readonly is: 'warning'; readonly warns: boolean }
  /** Calls after the operation show something else. */
  | { readonly is: 'after'; readonly fn: string; readonly seen: CallSeen; readonly other: CallSeen }
  /** A call in the middle shows what is neither that of before nor that of after, nor what the other shows there. */
  | {
      readonly is: 'between';
      readonly fn: string;
      readonly seen: CallSeen;
      readonly before: CallSeen;
      readonly after: CallSeen;
      readonly others: readonly CallSeen[];
    }
  /** Other programs that were closed are still there. */
  | { readonly is: 'kept'; readonly kept: readonly number[]; readonly other: readonly number[] };

/**
 * How what `a` shows is not among what `b` allows; undefined when it is. Both come from kernels that showed the same,
 * where calls showed `before`.
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
