import type { GraphOpsId } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import type { FgraphWorld } from './fgraph.ts';

/*
 * Direct mode of function graph: a single user is called without a walk of `fgraph_array`. It is left in two steps
 * (static branch off, pointer cleared) and entered in the opposite order, so that a call that reads the branch before
 * it changed finds either the user or the stub. No call is waited for: one that has read the branch uses the pointer
 * whatever it holds by then, and reads it twice (`run/direct-gops.ts`).
 */

interface DirectArgs {
  /** The static branch changes as well: there were several users, or there are to be. */
  branch: boolean;
}

interface EnableArgs extends DirectArgs {
  /** The single user. */
  gops: GraphOpsId;
}

/** ftrace_graph_enable_direct(): the single user is published before the branch that makes calls read it. */
export const ftraceGraphEnableDirect = routine<FgraphWorld, EnableArgs>(
  'ftrace_graph_enable_direct',
  ({ step, when }) => [
    step('publish the only user', (k, { gops }) => {
      k.fgraph.directGops = gops;
    }),
    when('calls use the array', (_, { branch }) => branch, [
      step('enter direct mode', (k) => {
        k.fgraph.doDirect = true;
      }),
    ]),
  ],
);

/** ftrace_graph_disable_direct(): several users, or none. */
export const ftraceGraphDisableDirect = routine<FgraphWorld, DirectArgs>(
  'ftrace_graph_disable_direct',
  ({ step, when }) => [
    when('calls are to use the array', (_, { branch }) => branch, [
      // The branch first: a call that reads it as off uses the array, which is complete.
      step('leave direct mode', (k) => {
        k.fgraph.doDirect = false;
      }),
    ]),
    step('forget the only user', (k) => {
      k.fgraph.directGops = '';
    }),
  ],
);
