import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { LockEdges } from '../../properties/locks/lock-order.ts';
import type { LockFacts } from '../../properties/locks/lock-watch.ts';
import { LockWatch } from '../../properties/locks/lock-watch.ts';
import type { AttachQuestion, Played } from './played.ts';

/** Applies an action to a kernel, and watches its locks if a law judges them. */
export function applyWatched(
  k: Kernel,
  action: Action,
  program: KernelProgram,
  { laws, watch }: AttachQuestion,
  { before, lockEdges }: Pick<Played, 'before' | 'lockEdges'>,
): { readonly outcome: Outcome; readonly locking?: LockFacts; readonly edges: LockEdges } {
  if (!laws.some(({ watchesLocks }) => watchesLocks === true))
    return { outcome: apply(k, action, program, watch), edges: lockEdges };
  const locks = new LockWatch(program, before, k, lockEdges, watch);
  const outcome = apply(k, action, program, locks.watch);
  const locking = locks.finish(outcome.died !== undefined);
  return { outcome, locking, edges: locking.edges };
}
