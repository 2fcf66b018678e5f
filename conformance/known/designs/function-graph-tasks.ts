import type { ProgId } from '../../../model/core/ids.ts';
import { onlyGraphUserIsCalledDirectly } from '../../../properties/ftrace/only-graph-user-is-called-directly.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { calls, scenario } from '../../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, kprobe, link, load } from '../../../properties/planted/sequences/actions.ts';
import { noWarnAndNoOops } from '../../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../../properties/task/probes-see-old-or-new.ts';
import { settledLaw } from '../../../properties/task/settled-laws.ts';
import type { KnownTask } from '../task-known.ts';
import { found, seenInstead, warnsOf } from '../task-shows.ts';

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
  {
    name: 'link-on-graph-meets-the-probe-of-a-refused-one',
    sentence:
      'A link is being attached when ftrace dies under another one, which is the first user of function graph and leaves ftrace_graph_probe_sched_switch() registered: the link gets EEXIST with a WARN.',
    evidence:
      'as refused-graph-user-leaves-its-probe, whose calls find ftrace dead before they come to the probe; kernel/trace/fgraph.c of 6.12 and 7.2  register_ftrace_graph: no test of ftrace_disabled; kernel/trace/ftrace.c  ftrace_set_hash: before ftrace_lock',
    law: noWarnAndNoOops,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    multiLinks: 'function graph',
    restsOn: ['multiLinks'],
    shows: warnsOf('probe there already', ({ tracepoint }) => tracepoint === 'sched_switch'),
    cause: {
      stood: [
        {
          at: { within: ['bpf_graph_multi_attach'] },
          did: [{ by: ['ftrace_startup', 'ftrace_startup_subops'], refused: 'ENODEV' }],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [loadMulti(1), loadMulti(2)],
      clients: [
        [{ do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } }, link(2, 2, ['f2'])],
        [link(1, 1, ['f1'])],
      ],
      callers: [],
    }),
    moves: [69, 69],
  },
  {
    name: 'only-link-on-graph-loses-direct-mode-to-a-refused-one',
    sentence:
      'A second link has ended direct mode when ftrace dies under another operation, and is refused: calls walk fgraph_array for the first, which is alone.',
    evidence:
      'as only-user-is-not-called-directly-after-a-refusal, whose calls find ftrace dead before they come to direct mode; kernel/trace/fgraph.c of 6.12 and 7.2  register_ftrace_graph',
    law: settledLaw(onlyGraphUserIsCalledDirectly),
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    multiLinks: 'function graph',
    restsOn: ['multiLinks'],
    shows: found('graph-path-differs', ({ users, direct }) => users.length === 1 && direct === null),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [
            {
              by: ['ftrace_startup', 'ftrace_shutdown', 'ftrace_startup_subops', 'ftrace_set_hash'],
              refused: 'ENODEV',
            },
          ],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [loadMulti(1), link(1, 1, ['f1']), loadMulti(2)],
      clients: [
        [link(2, 2, ['f2'])],
        [{ do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } }, kprobe(1, true)],
      ],
      callers: [],
    }),
    moves: [69, 69],
  },
];

/** Whether a link of another program is attached. */
function comesBeside(clients: Scenario['clients'], seen: string): boolean {
  return clients.flat().some((action) => action.do === 'BPF_LINK_CREATE' && `prog#${action.prog}` !== seen);
}
