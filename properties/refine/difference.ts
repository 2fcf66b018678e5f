import type { CallSeen } from './call-seen.ts';
import type { Shown } from './history.ts';

/** Where one operation shows something else in two kernels. */
export type Difference =
  /** The client is answered something else, by which of its calls. */
  | { readonly is: 'answer'; readonly at: number }
  /** One of the kernels crashed or hung. */
  | { readonly is: 'death' }
  | { readonly is: 'warning' }
  /** Calls after the operation show something else. */
  | { readonly is: 'after'; readonly fn: string }
  /** A call in the middle shows what is neither that of before nor that of after, nor what the other shows there. */
  | { readonly is: 'between'; readonly fn: string; readonly seen: CallSeen }
  /** Other programs that were closed are still there. */
  | { readonly is: 'kept' };

/** How what `a` shows is not among what `b` allows; undefined when it is. Both come from kernels that showed the same. */
export function differenceOf(a: Shown, b: Shown): Difference | undefined {
  const at = a.answers.findIndex((answer, i) => answer !== b.answers[i]);
  if (at >= 0) return { is: 'answer', at };
  if (a.died !== b.died) return { is: 'death' };
  if (a.warned !== b.warned) return { is: 'warning' };
  for (const [fn, seen] of a.after) if (seen !== b.after.get(fn)) return { is: 'after', fn };
  for (const [fn, all] of a.between)
    for (const seen of all)
      if (!(b.between.get(fn)?.includes(seen) ?? false)) return { is: 'between', fn, seen };
  return a.kept.join() === b.kept.join() ? undefined : { is: 'kept' };
}
