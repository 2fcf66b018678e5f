import { without } from '../contract/changes.ts';
import { ofGraph } from '../contract/footprint.ts';
import type { GraphOpsId } from '../core/ids.ts';
import { unregisterFtraceGraph } from '../ftrace/graph.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * unregister_ftrace_graph() in kernel/trace/fgraph.c, under `ftrace_lock`. Calls that are being followed are
 * not waited for: their frames stay on the shadow stacks, and return through the stub that has replaced the
 * user in `fgraph_array`. A caller that frees its user has to wait by itself, and cannot know for how long.
 */

export interface UnregisterFtraceGraph {
  readonly do: 'unregister_ftrace_graph';
  readonly gops: GraphOpsId;
}

export const unregisterFtraceGraphCall: ClientCall<UnregisterFtraceGraph> = {
  sentence: 'Unregisters a user of function graph.',
  examples: [{ do: 'unregister_ftrace_graph', gops: 'gops#1' }],
  service: servedBy(unregisterFtraceGraph, argsOf),
  role: 'detaches',
  returnsNothing: true,
  // 6.1 does not compare the user with the one that is registered, and would unregister that one.
  isMisuse: (k, { gops }) => k.fgraph.gops[gops]?.registered !== true,
  promised: (p, { gops }) => without(p, gops),
  touched: (p, _, { gops }) => ofGraph(p, gops),
  print: ({ do: name, gops }) => called(name, gops),
  parse: ({ name, args: [gops = ''] }) =>
    name === 'unregister_ftrace_graph' ? { do: name, gops } : undefined,
};
