import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import type { TracepointWorld, TransitionSync } from './tracepoint.ts';
import { tracepointsOf } from './tracepoint.ts';

/*
 * Snapshots of grace periods, kernel/tracepoint.c: on the way to a static call of one probe everybody has to be gone who
 * may have read the data of another. A snapshot is taken when data changes, and waited for when a call is to change. RCU
 * and tracepoint_srcu are one here: the sections of a site count as such of RCU.
 */

interface SyncArgs {
  sync: TransitionSync;
}

/** tp_rcu_get_state(): the latest snapshot is kept, and its grace period passes by itself. */
export const getState = routine<TracepointWorld, SyncArgs>('tp_rcu_get_state', ({ step, defer }) => [
  step('take the snapshot', (k, { sync }) => {
    const all = tracepointsOf(k);
    all.made++;
    all.snapshots[sync] = { serial: all.made, passed: false };
  }),
  defer('its grace period', snapshotPasses, (k, { sync }) => ({
    sync,
    serial: entry(tracepointsOf(k).snapshots, sync).serial,
  })),
]);

/** What get_state_synchronize_rcu() and start_poll_synchronize_srcu() give can be asked later. */
export const snapshotPasses = routine<TracepointWorld, SyncArgs & { serial: number }>(
  'tp_transition_snapshot',
  ({ wait, step }) => [
    wait('rcu'),
    step('it has passed', (k, { sync, serial }) => {
      const snapshot = tracepointsOf(k).snapshots[sync];
      if (snapshot?.serial === serial) snapshot.passed = true;
    }),
  ],
);

/** tp_rcu_cond_sync(): waits if there is an ongoing snapshot, and its grace period has not passed by itself. */
export const condSync = routine<TracepointWorld, SyncArgs>(
  'tp_rcu_cond_sync',
  ({ finish, when, wait, step }) => [
    finish('no snapshot is ongoing', (k, { sync }) => tracepointsOf(k).snapshots[sync] === undefined),
    when('it has not passed', (k, { sync }) => !entry(tracepointsOf(k).snapshots, sync).passed, [
      wait('rcu'),
    ]),
    step('forget it', (k, { sync }) => {
      delete tracepointsOf(k).snapshots[sync];
    }),
  ],
);
