import { without } from '../contract/changes.ts';
import { ofGraph } from '../contract/footprint.ts';
import type { GraphOpsId } from '../core/ids.ts';
import { unregisterFtraceGraph } from '../ftrace/graph.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

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
  isMisuse: (k, { gops }) => k.fgraph.gops[gops]?.registered !== true,
  promised: (p, { gops }) => without(p, gops),
  touched: (p, _, { gops }) => ofGraph(p, gops),
  print: ({ do: name, gops }) => called(name, gops),
  parse: ({ name, args: [gops = ''] }) =>
    name === 'unregister_ftrace_graph' ? { do: name, gops } : undefined,
};
