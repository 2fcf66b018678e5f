import type { StandingPattern } from '../../checker/interleavings/cause/pattern.ts';
import { asleepIn, scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, filter, fprobe, graph } from '../../properties/planted/sequences/actions.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { IN_ITS_CALL } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import type { Shows } from './task-shows.ts';
import { found, isClients, seenInstead, warnsOf } from './task-shows.ts';

const ENTERS: StandingPattern = { within: ['function_graph_enter_regs'] };
const RETURNS: StandingPattern = { within: ['ftrace_return_to_handler'] };
const LEAVES_DIRECT_MODE = { by: 'ftrace_graph_disable_direct', part: 'leave direct mode' } as const;
const HAS_A_NEW_ONLY_USER = { by: 'ftrace_graph_enable_direct', part: 'publish the only user' } as const;

const unregister = (gops: string) => ({ do: 'unregister_ftrace_graph', gops }) as const;

/** A user that never saw the call sees its return. */
const SEES_THE_RETURN_ALONE: Shows = (finding, within) =>
  found('unpromised-event', ({ event }) => event.kind === 'graph exit')(finding, within) ||
  found('return-without-entry', ({ event }) => event.kind === 'graph exit')(finding, within);

/**
 * Known breaches of the direct mode of function graph: its static branch and the pointer to the only user change one
 * after the other, and a call reads the pointer twice at its entry and twice at its return.
 */
export const KNOWN_DIRECT_MODE: readonly KnownTask[] = [
  {
    name: 'only-user-of-graph-loses-a-call',
    sentence:
      'A second user of function graph registers: a call on its way to the only user directly finds a stub, and the first user does not see it.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  ftrace_graph_disable_direct: static_call_update() and fgraph_direct_gops, with no wait after static_branch_disable()',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: seenInstead(['graph entry', 'fprobe entry', 'fprobe exit'], 0),
    cause: { stood: [{ at: ENTERS, did: [LEAVES_DIRECT_MODE] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2')],
      clients: [[graph(2)]],
    }),
    moves: [14, 14],
  },
  {
    name: 'only-user-of-graph-loses-a-return-that-it-asked-for',
    sentence:
      'A second user of function graph registers while the entry handler of the only one runs: the bit of the call comes from a second read of the pointer, which finds the stub, and the only user does not see the return.',
    evidence:
      'shown on 6.12.117 and 7.2.13, with an entry handler that spins: it sees the entry, and no return; kernel/trace/fgraph.c of 6.12 and 7.2  function_graph_enter, function_graph_enter_regs: fgraph_direct_gops is loaded for the call of fgraph_func, and again for BIT(fgraph_direct_gops->idx); fgraph_stub.idx is 0. Both loads are in the machine code of both kernels.',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: seenInstead(['graph exit', 'fprobe exit'], 0),
    cause: { stood: [{ at: ENTERS, did: [LEAVES_DIRECT_MODE] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [
        filter('gops#1.ops', 'f2'),
        graph(1),
        filter('gops#2.ops', 'f1'),
        graph(2),
        unregister('gops#1'),
        filter('gops#3.ops', 'f2'),
      ],
      clients: [[graph(3)]],
    }),
    moves: [24, 26],
  },
  {
    name: 'only-user-of-graph-loses-a-return',
    sentence:
      'A second user of function graph registers: a call that returns to the only user directly finds a stub, and the first user does not see the return.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  __ftrace_return_to_handler: fgraph_direct_gops is read after fgraph_do_direct; ftrace_graph_disable_direct has no wait',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: seenInstead(['graph exit', 'fprobe exit'], 0),
    cause: { stood: [{ at: RETURNS, did: [LEAVES_DIRECT_MODE] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2')],
      clients: [[graph(2)]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [13, 15],
  },
  {
    name: 'sole-graph-user-sees-a-call-of-another',
    sentence:
      'The user of function graph on a function unregisters, and another is the only one: a call on its way to the first is redirected to the other without a check of its filter.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  unregister_ftrace_graph, register_ftrace_graph: ftrace_graph_enable_direct() with no wait; function_graph_enter: no ftrace_ops_test() in direct mode',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: found('unpromised-event', ({ event }) => event.kind === 'graph entry'),
    cause: { stood: [{ at: IN_ITS_CALL, did: [HAS_A_NEW_ONLY_USER] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2'), graph(2)],
      clients: [[unregister('gops#1')]],
    }),
    moves: [39, 41],
  },
  {
    name: 'next-graph-user-gets-the-bit-of-a-call',
    sentence:
      'The only user of function graph is replaced while its entry handler runs: the call sets the bit of the new one, which sees the return of a call that it never accepted.',
    evidence:
      'shown on 6.12.117 and 7.2.13, with an entry handler that spins: the return is delivered to a user that never accepted the call; kernel/trace/fgraph.c of 6.12 and 7.2  function_graph_enter, function_graph_enter_regs: BIT(fgraph_direct_gops->idx) after the call of fgraph_func',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: SEES_THE_RETURN_ALONE,
    cause: { stood: [{ at: ENTERS, did: [HAS_A_NEW_ONLY_USER] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2')],
      clients: [[graph(2), unregister('gops#1')]],
    }),
    moves: [56, 58],
  },
  {
    name: 'next-graph-user-gets-a-return',
    sentence:
      'The only user of function graph is replaced while a call that it follows is under way: the return handler of the new one is called for it.',
    evidence:
      'kernel/trace/fgraph.c of 6.1  ftrace_return_to_handler: ftrace_graph_return is read at the return; of 6.12 and 7.2  __ftrace_return_to_handler, ftrace_return_to_handler: fgraph_direct_gops is loaded for test_bit(), and again for the call of fgraph_retfunc. Both loads are in the machine code of both kernels.',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: SEES_THE_RETURN_ALONE,
    cause: {
      stood: [
        {
          at: IN_ITS_CALL,
          did: [{ by: ['register_ftrace_graph (one user)', HAS_A_NEW_ONLY_USER.by] }],
        },
      ],
    },
    scenario: scenario({
      setup: [filter('gops#1.ops'), graph(1), filter('gops#2.ops')],
      clients: [[unregister('gops#1'), graph(2)]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [54, 62, 64],
  },
  {
    name: 'graph-handler-gets-the-gops-of-another',
    sentence:
      'The only user of function graph is replaced between the load of the pointer and the static call that follows: the handler of the new one is called with the fgraph_ops of the old one, or with the stub.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  ftrace_graph_enable_direct: fgraph_direct_gops, then static_call_update() of fgraph_func and of fgraph_retfunc; function_graph_enter, function_graph_enter_regs and __ftrace_return_to_handler load the pointer into a register first, in the machine code of both kernels',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    variants: ['function graph'],
    restsOn: ['fgraph'],
    shows: found('data-of-another', ({ own }) => own.every(isClients)),
    cause: {
      stood: [
        {
          at: { within: ['function_graph_enter_regs', 'ftrace_return_to_handler'] },
          did: [HAS_A_NEW_ONLY_USER],
        },
      ],
    },
    scenario: scenario({
      setup: [
        filter('gops#1.ops'),
        graph(1),
        filter('gops#2.ops'),
        graph(2),
        unregister('gops#1'),
        filter('gops#3.ops'),
      ],
      clients: [[unregister('gops#2'), graph(3)]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [62, 64],
  },
  {
    name: 'fprobes-get-a-return-of-the-last-graph-user',
    sentence:
      'The same where the new only user is that of the fprobes: fprobe_return() finds no data of its own on the shadow stack, and warns.',
    evidence:
      'kernel/trace/fgraph.c of 7.2  function_graph_enter_regs, ftrace_return_to_handler: fgraph_direct_gops is loaded twice; kernel/trace/fprobe.c  fprobe_return: WARN_ON_ONCE(!fprobe_data)',
    law: noWarnAndNoOops,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    variants: ['function graph'],
    restsOn: ['fgraph', 'fprobe'],
    shows: warnsOf('unwanted return', () => true),
    cause: {
      stood: [
        {
          at: { within: ['function_graph_enter_regs', 'ftrace_return_to_handler'] },
          did: [HAS_A_NEW_ONLY_USER],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1)],
      clients: [[unregister('gops#1'), fprobe(1, true, true, 'f2')]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [66],
  },
];
