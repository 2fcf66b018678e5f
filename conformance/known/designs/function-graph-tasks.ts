import type { ProgId } from '../../../model/core/ids.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { calls, scenario } from '../../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, link, load } from '../../../properties/planted/sequences/actions.ts';
import { probesSeeOldOrNew } from '../../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from '../task-known.ts';
import { seenInstead } from '../task-shows.ts';

/** A program for many functions. */
function loadMulti(prog: ProgId) {
  const bpfProgLoad = load(prog);
  return { ...bpfProgLoad, target: '', program: { ...bpfProgLoad.program, multi: true } };
}

/** Breaches in interleavings with multi links that are users of function graph. */
export const KNOWN_TASKS_OF_FUNCTION_GRAPH: readonly KnownTask[] = [
  {
    name: 'only-link-on-graph-loses-a-call',
    sentence:
      'A second link is attached to another function: a call on its way to the first link, as the only user of function graph, finds a stub, and the program does not run.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  ftrace_graph_disable_direct: static_call_update() and fgraph_direct_gops, with no wait after static_branch_disable()',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    multiLinks: 'function graph',
    restsOn: ['multiLinks'],
    shows: seenInstead(['program'], 0, ({ who }, { clients }) => comesBeside(clients, who)),
    cause: {
      stood: [
        {
          at: { within: ['ftrace_graph_func'] },
          did: [{ by: 'ftrace_graph_disable_direct', part: 'leave direct mode' }],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [loadMulti(1), link(1, 1, ['f1']), loadMulti(2)],
      clients: [[link(2, 2, ['f2'])]],
      callers: [calls('f1')],
    }),
    moves: [22, 22],
  },
];

/** Whether a link of another program is attached. */
function comesBeside(clients: Scenario['clients'], seen: string): boolean {
  return clients.flat().some((action) => action.do === 'BPF_LINK_CREATE' && `prog#${action.prog}` !== seen);
}
