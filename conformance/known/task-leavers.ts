import { kprobeEvent } from '../../model/client/perf-event-open-kprobe.ts';
import { moduleFunction } from '../../model/trampoline/traced-function.ts';
import { userCountsMatchUsers } from '../../properties/ftrace/user-counts-match-users.ts';
import { scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { fprobe, graph, kprobe, kretprobe } from '../../properties/planted/sequences/actions.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { settledLaw } from '../../properties/task/settled-laws.ts';
import type { KnownTask } from './task-known.ts';
import { crash, found, warnsOf } from './task-shows.ts';

const ONE_INSTANCE = { ...kretprobe(1), maxactive: 1 };

/** Known breaches of clients that attach or detach while a call is on its way to a client. */
export const KNOWN_LEAVERS: readonly KnownTask[] = [
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
  {
    name: 'kretprobe-that-stays-is-cleared-under-a-call',
    sentence:
      'A kretprobe that could not be disarmed, as the other ops has it, is registered again in memory that its client has cleared; a call that walks the list crashes after it, before the registration is refused.',
    evidence:
      'as kprobe-memory-is-reused; kernel/kprobes.c of 6.12 and 7.2  __unregister_kprobe_top: the aggregate keeps the post_handler; aggr_pre_handler',
    law: noWarnAndNoOops,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    restsOn: ['ibt'],
    shows: crash('reused kprobe'),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: 'register_kprobe', within: 'register_kretprobe', part: 'the kprobe is registered' }],
        },
      ],
    },
    scenario: scenario({
      setup: [ONE_INSTANCE, kprobe(2, true)],
      clients: [
        [{ do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' }, ONE_INSTANCE],
        [{ do: 'unregister_kprobe', kprobe: 'kprobe#2' }],
      ],
    }),
    moves: [24, 24],
  },
  {
    name: 'event-joins-a-kprobe-that-fails-to-unregister',
    sentence:
      'A kprobe is not disarmed for lack of memory while a perf event on its function opens: the count of armed functions is one too low for the event, whose kprobe is armed with it.',
    evidence:
      'as kprobe-is-disarmed-by-another-ops; kernel/kprobes.c of all three  __disarm_kprobe_ftrace: the count is lowered before ftrace_set_filter_ip()',
    law: settledLaw(userCountsMatchUsers),
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: found(
      'counter-differs',
      ({ counter, expected, observed }, { clients }) =>
        counter === 'kprobe_ftrace_enabled' &&
        observed < expected &&
        clients.flat().some(({ do: name }) => name === 'perf_event_open(kprobe)'),
    ),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: ['ftrace_set_hash', 'enable_kprobe', 'perf_event_open (kprobe)'] }],
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
        [{ ...kprobeEvent(4, 'f1'), on: 'kretprobe' }],
      ],
      callers: [],
    }),
    moves: [59, 59, 59],
  },
  {
    name: 'direct-call-leaves-a-site-that-its-module-takes-along',
    sentence:
      'A direct call by address is unregistered while the module of its function is unloaded: the site is gone when it is to leave the filter, and the kernel warns.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) of ftrace_set_filter_ip(), after ftrace_location() has found the site; ftrace_release_mod() takes no direct_mutex',
    law: noWarnAndNoOops,
    kernels: ['6.1'],
    others: [],
    lacks: ['6.12', '7.2'],
    restsOn: ['directApi'],
    shows: warnsOf('not in direct_ops', () => true),
    cause: {
      stood: [
        {
          at: { within: ['unregister_ftrace_direct(ip)'] },
          did: [{ by: 'delete_module', part: 'ftrace_release_mod' }],
        },
      ],
    },
    scenario: scenario({
      functions: [moduleFunction('f1', 1, 'u64 -> u64', 'm1')],
      setup: [{ do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }],
      clients: [
        [{ do: 'delete_module', module: 'm1' }],
        [{ do: 'unregister_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }],
      ],
      callers: [],
    }),
    moves: [40],
  },
  ...[
    {
      name: 'fprobe-that-leaves-gets-a-return-of-others',
      sentence:
        'The last fprobe of a function leaves the table, and its functions leave the filter of their user afterwards. A call in between that another user follows is returned to that user as well, which has index 0: fprobe_return() finds nothing of its own, and warns.',
      by: 'unregister_fprobe (fgraph)',
      part: 'leave the tables',
      others: ['6.12'],
      lacks: ['6.1'],
      setup: [fprobe(1, true, true), graph(2)],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' } as const]],
      moves: [24],
    },
    {
      name: 'fprobe-that-joins-gets-a-return-of-others',
      sentence:
        'The same while the first fprobe registers: its user has index 0 before the table has the fprobe.',
      by: 'register_ftrace_graph (many users)',
      others: ['6.1', '6.12'],
      setup: [],
      clients: [[fprobe(1, true, true)], [graph(2)]],
      moves: [94],
    },
  ].map(
    ({ name, sentence, others, lacks, by, part, setup, clients, moves }): KnownTask => ({
      name,
      sentence,
      evidence:
        'kernel/trace/fgraph.c of 7.2  set_bitmap: bit 0 always; kernel/trace/fprobe.c  fprobe_return: WARN_ON_ONCE(!fgraph_data), register_fprobe_ips, unregister_fprobe: the filter and the table change one after the other',
      law: noWarnAndNoOops,
      kernels: ['7.2'],
      others,
      ...(lacks === undefined ? {} : { lacks }),
      restsOn: ['fgraph', 'fprobe'],
      shows: warnsOf('unwanted return', () => true),
      cause: { stood: [{ at: 'anywhere', did: [{ by, ...(part === undefined ? {} : { part }) }] }] },
      scenario: scenario({ setup, clients }),
      moves,
    }),
  ),
];
