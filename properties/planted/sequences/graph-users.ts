import { onlyGraphUserIsCalledDirectly } from '../../ftrace/only-graph-user-is-called-directly.ts';
import { graph } from './actions.ts';
import { dropped, edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in the way by which calls reach the users of function graph. */
export const PLANTED_GRAPH_USERS: readonly AttachPlanted[] = [
  {
    name: 'direct-mode-is-not-restored',
    sentence: 'The last of several users of function graph is not called directly again.',
    history: 'function_graph: Restore direct mode when callbacks drop to one (6.12.75)',
    law: onlyGraphUserIsCalledDirectly,
    profile: '6.12',
    edits: [edit('ftrace_graph_enable_direct', 'enter direct mode', dropped)],
    smallest: [graph(1), graph(2), { do: 'unregister_ftrace_graph', gops: 'gops#1' }],
    finding: 'function graph has gops#2: calls call it directly / they walk fgraph_array',
  },
  {
    name: 'second-graph-user-does-not-end-direct-mode',
    sentence: 'A second user of function graph registers, and calls still reach the first alone.',
    history: undefined,
    law: onlyGraphUserIsCalledDirectly,
    profile: '6.12',
    edits: [edit('ftrace_graph_disable_direct', 'leave direct mode', dropped)],
    smallest: [graph(1), graph(2)],
    finding: 'function graph has gops#1, gops#2: calls walk fgraph_array / they call fgraph_stub directly',
  },
];
