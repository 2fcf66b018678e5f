import { routine } from '../core/routine.ts';
import type { TracepointWorld } from './tracepoint.ts';
import { tracepointNamed, tracepointsOf } from './tracepoint.ts';

/*
 * The old array of probes is freed in the background. A walk through it may have started before the new array was
 * published, and the read-side section of the site decides which grace period covers that walk.
 */

interface ReleaseArgs {
  tracepoint: string;
  array: string;
}

/** release_probes(): nothing to free for NULL. The client does not wait. */
export const releaseProbes = routine<TracepointWorld, ReleaseArgs>(
  'release_probes',
  ({ finish, reclaim }) => [
    finish('there is none', (_, { array }) => array === ''),
    reclaim('free it in the background', freeOldProbes, (_, locals) => ({ ...locals })),
  ],
);

/** rcu_free_old_probes(), a callback of call_rcu() and call_srcu(), or of call_rcu_tasks_trace(). */
export const freeOldProbes = routine<TracepointWorld, ReleaseArgs>(
  'rcu_free_old_probes',
  ({ when, wait, step }) => [
    when(
      'its probes may sleep',
      (k, { tracepoint }) => tracepointNamed(k, tracepoint).faultable,
      [wait('rcu_tasks_trace')],
      [wait('rcu')],
    ),
    step('free the array', (k, { array }) => {
      delete tracepointsOf(k).arrays[array];
    }),
  ],
);
