import type { EventKind } from '../../model/core/event.ts';
import { present } from '../../model/core/present.ts';
import { GRAPH_OPS } from '../../model/ftrace/ops.ts';
import { DIRECT_OPS } from '../../model/trampoline/designs/multi-trampoline.ts';
import { close, open, register, scenario, tracer } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, graph, kprobe, kretprobe, load } from '../../properties/planted/sequences/actions.ts';
import { missesAreCountedOnceInTasks } from '../../properties/task/each-missed-call-is-counted-once.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { ON_OPS_OF_KPROBES, OPS_OF_KPROBES } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { COUNTS_A_MISS_OF_WHAT_IT_SEES, seenInstead } from './task-shows.ts';

/** Of an fprobe with an exit handler, and of a kretprobe, the return is seen as often as its ops was called. */
const SEEN_IN_A_WALK: readonly EventKind[] = [
  'ftrace',
  'graph entry',
  'fprobe entry',
  'fprobe exit',
  'kprobe.multi',
  'kprobe.multi return',
  'kprobe',
  'kprobe post',
  'kretprobe entry',
  'kretprobe',
];

const CALLED_TWICE: readonly KnownTask[] = [
  {
    name: 'ops-is-registered-again-under-a-walk',
    sentence:
      'The last kprobe is unregistered and another registered: their ops, in static kernel data, moves to the head of the ops list, and a walk that is at it starts over. Every ops before it sees the call twice.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13 (ftrace f2, kprobe f2, ftrace f2, body f2); kernel/trace/ftrace.c of all three  add_ftrace_ops, remove_ftrace_ops, ftrace_shutdown: an ops that is not FTRACE_OPS_FL_DYNAMIC is not waited for, and its next is written when it is registered again; kernel/kprobes.c  arm_kprobe_ftrace',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['kretprobe'],
    shows: seenInstead(SEEN_IN_A_WALK, 2),
    cause: {
      stood: [
        { at: ON_OPS_OF_KPROBES, did: [{ by: '__unregister_ftrace_function', ops: OPS_OF_KPROBES }] },
        { at: ON_OPS_OF_KPROBES, did: [{ by: '__register_ftrace_function', ops: OPS_OF_KPROBES }] },
      ],
    },
    scenario: scenario({
      setup: [kprobe(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }], [kprobe(2)]],
    }),
    moves: [49, 49, 49],
  },
  {
    name: 'graph-ops-is-registered-again-under-a-walk',
    sentence:
      'The last user of function graph leaves and another one joins: graph_ops, in static kernel data, moves to the head of the ops list, and a walk that is at it starts over. Every ops before it sees the call twice.',
    evidence:
      'as ops-is-registered-again-under-a-walk; kernel/trace/fgraph.c of all three  register_ftrace_graph, unregister_ftrace_graph. Not shown: no emulated kernel survived a stop in the entry of function graph',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['fgraph'],
    shows: seenInstead(SEEN_IN_A_WALK, 2),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'], ops: [GRAPH_OPS] },
          did: [{ by: '__register_ftrace_function', ops: [GRAPH_OPS] }],
        },
      ],
    },
    scenario: scenario({
      setup: [graph(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#1' }, graph(2)]],
    }),
    moves: [43, 51, 51],
  },
  {
    name: 'direct-ops-is-registered-again-under-a-walk',
    sentence:
      'The last program is detached and another one attached: direct_ops, in static kernel data, moves to the head of the ops list, and a walk that is at it starts over. Every ops before it sees the call twice.',
    evidence:
      'shown on 7.2.13 (ftrace ops#1, ftrace ops#1, program prog#2, body f1); as ops-is-registered-again-under-a-walk; kernel/bpf/trampoline.c of 7.2  direct_ops; kernel/trace/ftrace.c  update_ftrace_direct_add, update_ftrace_direct_del',
    law: probesSeeOldOrNew,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['directApi', 'singleDirectOps'],
    shows: seenInstead(SEEN_IN_A_WALK, 2),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'], ops: [DIRECT_OPS] },
          did: [{ by: '__register_ftrace_function', ops: [DIRECT_OPS] }],
        },
      ],
    },
    scenario: scenario({
      setup: [load(1), load(2), open(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[close(1), open(2)]],
    }),
    moves: [65],
  },
];

/** Scenarios with a kretprobe of one instance on an ops before the one that moves, and the moves to a miss in each kernel. */
const WITH_A_KRETPROBE: Readonly<Record<string, Pick<KnownTask, 'evidence' | 'scenario' | 'moves'>>> = {
  'ops-is-registered-again-under-a-walk': {
    evidence: 'shown on 6.1.192, 6.12.117 and 7.2.13',
    scenario: scenario({
      functions: [F1, F2],
      setup: [
        kprobe(1, true, 'f2'),
        { ...kretprobe(1), maxactive: 1 },
        ...tracer('ops#1'),
        register('ops#1'),
      ],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }], [kprobe(2, true, 'f2')]],
    }),
    moves: [74, 74, 74],
  },
  'graph-ops-is-registered-again-under-a-walk': {
    evidence: 'not shown, as graph-ops-is-registered-again-under-a-walk',
    scenario: scenario({
      setup: [graph(1), { ...kretprobe(1), maxactive: 1 }],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#1' }, graph(2)]],
    }),
    moves: [91, 85, 85],
  },
  'direct-ops-is-registered-again-under-a-walk': {
    evidence: 'shown on 7.2.13',
    scenario: scenario({
      setup: [load(1), load(2), open(1), { ...kretprobe(1), maxactive: 1 }],
      clients: [[close(1), open(2)]],
    }),
    moves: [99],
  },
};

function countsAMiss(entry: KnownTask): KnownTask {
  const { evidence, ...own } = present(WITH_A_KRETPROBE[entry.name], entry.name);
  return {
    ...entry,
    ...own,
    name: `${entry.name}-counts-a-miss`,
    sentence: `As ${entry.name}, for a kretprobe: when its call comes again, no instance is left, and it counts a miss of a call that it sees.`,
    evidence: `${evidence}; kernel/kprobes.c  pre_handler_kretprobe: rp->nmissed++`,
    law: missesAreCountedOnceInTasks,
    shows: COUNTS_A_MISS_OF_WHAT_IT_SEES,
  };
}

/** Known breaches of walks that start over: the ops that they are at moves to the head of the list. */
export const KNOWN_RESTARTED_WALKS: readonly KnownTask[] = [
  ...CALLED_TWICE,
  ...CALLED_TWICE.map(countsAMiss),
];
