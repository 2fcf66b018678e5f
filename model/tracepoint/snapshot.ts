import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import type { TracepointWorld, TransitionSync } from './tracepoint.ts';
import { tracepointsOf } from './tracepoint.ts';

/*
 * Snapshots of grace periods, kernel/tracepoint.c: before a static call becomes that of a single probe, every CPU
 * that may have read another probe's data has to be gone. A snapshot is taken when data changes, and is waited
 * for when a call is about to change. RCU and tracepoint_srcu are one here: the sections of a site count as
 * sections of RCU.
 */

interface SyncArgs {
  sync: TransitionSync;
}

/** tp_rcu_get_state(): only the latest snapshot is kept; its grace period runs in the background. */
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

/** The grace period of get_state_synchronize_rcu() and start_poll_synchronize_srcu(), polled later. */
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

/** tp_rcu_cond_sync(): waits if a snapshot is ongoing and its grace period has not passed yet. */
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
