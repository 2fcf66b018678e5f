import type { GraphOpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import type { FgraphWorld } from './fgraph.ts';

/*
 * Direct mode of function graph: a single user is called without a walk of `fgraph_array`. Four things change one after
 * the other, each by itself: the static branch, the static calls of the entry and of the return callback, and the
 * pointer to the user.
 *
 * ```text
 *   left      branch off -> fgraph_func, fgraph_retfunc: the stub's -> fgraph_direct_gops: the stub
 *   entered   fgraph_direct_gops -> fgraph_func, fgraph_retfunc -> branch on, if there were several
 * ```
 *
 * No call is waited for. One that has read the branch as on uses what it finds: the pointer is read twice
 * (`run/direct-gops.ts`), and a callback may be called with another user's `fgraph_ops`. A static call, like the
 * branch, is patched by text_poke_bp(), whose int3 already calls the new target: one step.
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
    step('update fgraph_func', (k, { gops }) => {
      k.fgraph.directEntryfunc = gops;
    }),
    step('update fgraph_retfunc', (k, { gops }) => {
      k.fgraph.directRetfunc = gops;
    }),
    when('calls use the array', (_, { branch }) => branch, [
      step('enter direct mode', (k) => {
        k.fgraph.doDirect = profileNamed(k.profile).graphDirectModeReturns;
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
    step('fgraph_func calls the stub', (k) => {
      k.fgraph.directEntryfunc = '';
    }),
    step('fgraph_retfunc calls the stub', (k) => {
      k.fgraph.directRetfunc = '';
    }),
    step('forget the only user', (k) => {
      k.fgraph.directGops = '';
    }),
  ],
);
