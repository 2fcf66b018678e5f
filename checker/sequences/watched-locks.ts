import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';
import { LockWatch } from '../../properties/locks/lock-watch.ts';
import { snapshotOf } from '../../properties/observed/snapshot.ts';
import { WaitWatch } from '../../properties/waits/wait-watch.ts';
import type { AttachQuestion, Played } from './played.ts';

/** What the watches of an action know when it begins, and what they have noted when it has ended. */
export type WatchedBefore = Pick<Played, 'before' | 'lockEdges' | 'waits'>;
type Watched = Pick<Moment, 'outcome' | 'after' | 'locking' | 'freeing'> &
  Pick<Played, 'lockEdges' | 'waits'>;

/** Applies an action to a kernel, takes a snapshot of it, and watches its locks and its waits if a law judges them. */
export function applyWatched(
  k: Kernel,
  action: Action,
  program: KernelProgram,
  { laws, watch }: AttachQuestion,
  { before, lockEdges, waits }: WatchedBefore,
): Watched {
  const onLocks = laws.some(({ watchesLocks }) => watchesLocks === true)
    ? new LockWatch(program, before, k, lockEdges, watch)
    : undefined;
  const onWaits = laws.some(({ watchesWaits }) => watchesWaits === true)
    ? new WaitWatch(program, before, k, waits, onLocks?.watch ?? watch)
    : undefined;
  const outcome = apply(k, action, program, onWaits?.watch ?? onLocks?.watch ?? watch);
  const after = snapshotOf(k, before);
  const locking = onLocks?.finish(outcome.died !== undefined, after);
  const freeing = onWaits?.finish(after);
  return {
    outcome,
    after,
    locking,
    freeing,
    lockEdges: locking?.edges ?? lockEdges,
    waits: freeing?.history ?? waits,
  };
}
