import { asleepIn, scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, filter, graph, kprobe } from '../../properties/planted/sequences/actions.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { IN_ITS_CALL } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { found, seenInstead } from './task-shows.ts';

/** Known breaches of clients that attach or detach while a call is on its way to a client. */
export const KNOWN_LEAVERS: readonly KnownTask[] = [
  {
    name: 'only-user-of-graph-loses-a-return',
    sentence:
      'A second user of function graph registers: a call that returns to the only user directly finds a stub, and the first user does not see the return.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  __ftrace_return_to_handler: fgraph_direct_gops is read after fgraph_do_direct; ftrace_graph_disable_direct has no wait',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    restsOn: ['fgraph'],
    shows: seenInstead(['graph exit'], 0),
    cause: {
      stood: [
        {
          at: { within: ['ftrace_return_to_handler'] },
          did: [{ by: 'register_ftrace_graph (many users)', part: 'leave direct mode' }],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2')],
      clients: [[graph(2)]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [10, 12],
  },
  {
    name: 'sole-graph-user-sees-a-call-of-another',
    sentence:
      'The user of function graph on a function unregisters, and one user remains: a call on its way to the first is redirected to the other without a check of its filter.',
    evidence:
      'kernel/trace/fgraph.c of 6.12 and 7.2  unregister_ftrace_graph: ftrace_graph_enable_direct() with no wait; function_graph_enter: no ftrace_ops_test() in direct mode',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: [],
    lacks: ['6.1'],
    restsOn: ['fgraph'],
    shows: found('unpromised-event', ({ event }) => event.kind === 'graph entry'),
    cause: {
      stood: [
        {
          at: IN_ITS_CALL,
          did: [{ by: 'unregister_ftrace_graph (many users)', part: 'enter direct mode' }],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f1'), graph(1), filter('gops#2.ops', 'f2'), graph(2)],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#1' }]],
    }),
    moves: [33, 35],
  },
  {
    name: 'kprobe-that-failed-to-unregister-lost-its-address',
    sentence:
      'A kprobe that cannot be disarmed for lack of memory stays in the table without its address: a call that has already looked it up passes it no function.',
    evidence:
      'kernel/kprobes.c of all three  unregister_kprobes: kps[i]->addr = NULL where __unregister_kprobe_top() answers an error; kprobe_ftrace_handler has read the probe before',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: found(
      'unpromised-event',
      ({ event }) => (event.kind === 'kprobe' || event.kind === 'kprobe post') && event.fn === '?',
    ),
    cause: {
      stood: [
        {
          at: { within: ['kprobe_ftrace_handler'] },
          did: [{ by: 'unregister_kprobe', part: 'the kprobe stays' }],
        },
      ],
    },
    scenario: scenario({
      setup: [kprobe(1)],
      clients: [
        [
          { do: 'fail', fault: { what: 'allocation', where: 'ftrace_set_hash' } },
          { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
        ],
      ],
    }),
    moves: [59, 59, 59],
  },
];
