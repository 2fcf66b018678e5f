import { joined, PLAIN } from '../contract/changes.ts';
import { ofGraph } from '../contract/footprint.ts';
import type { GraphOpsId } from '../core/ids.ts';
import { registerFtraceGraph } from '../ftrace/graph.ts';
import { GLOBAL_OPS } from '../ftrace/ops.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * register_ftrace_graph() in kernel/trace/fgraph.c, under `ftrace_lock`. 6.1 has one user at a time (EBUSY) and
 * gives it the filter of set_ftrace_filter. Since 6.11 there are sixteen (ENOSPC), each with a filter of its
 * own, and one `graph_ops` that traces the union of all. The first user allocates shadow stacks for all tasks
 * (ENOMEM).
 */

export interface RegisterFtraceGraph {
  readonly do: 'register_ftrace_graph';
  readonly gops: GraphOpsId;
}

export const registerFtraceGraphCall: ClientCall<RegisterFtraceGraph> = {
  sentence:
    'Registers a user of function graph, on the functions of its filter (`gops#1.ops`) or, in 6.1, of set_ftrace_filter.',
  examples: [{ do: 'register_ftrace_graph', gops: 'gops#1' }],
  service: servedBy(registerFtraceGraph, argsOf),
  role: 'attaches',
  // The same user twice is a WARN and EBUSY in 7.2. 6.12 overwrites its index, and the first one is never given
  // back.
  isMisuse: never,
  promised: (p, { gops }) =>
    joined(p, {
      ...PLAIN,
      who: gops,
      object: gops,
      kind: 'graph',
      filterOf: p.graphFilter === 'own' ? `${gops}.ops` : GLOBAL_OPS,
      exit: true,
    }),
  registered: ({ gops }) => gops,
  touched: (p, _, { gops }) => ofGraph(p, gops),
  detach: ({ gops }) => ({ do: 'unregister_ftrace_graph', gops }),
  print: ({ do: name, gops }) => called(name, gops),
  parse: ({ name, args: [gops = ''] }) => (name === 'register_ftrace_graph' ? { do: name, gops } : undefined),
};
