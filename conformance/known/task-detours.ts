import { kprobeAt, OPTIMIZES } from '../../properties/planted/interleavings/kprobes.ts';
import { scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { kprobeInBody } from '../../properties/planted/sequences/actions.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import type { KnownTask } from './task-known.ts';
import { usesFreed, warnsOf } from './task-shows.ts';

/** Known breaches of tasks in the detour of an optimised kprobe. */
export const KNOWN_DETOURS: readonly KnownTask[] = [
  {
    name: 'detour-is-not-waited-for-after-its-jump-was-taken-away',
    sentence:
      'A kprobe that loses its jump at once, to a post_handler or to a kprobe among its instructions, is freed by unregister_kprobe() after a period of RCU. A task that was preempted in its detour then calls optimized_callback() with it.',
    evidence:
      'kernel/kprobes.c of 6.1.192 and 6.12.117  unoptimize_kprobe: force; __unregister_kprobe_bottom: free_aggr_kprobe() after synchronize_rcu(), where kprobe_optimizer() waits for RCU-tasks; 7.2.13: its source was not at hand',
    law: noHandlerAfterUnregister,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: usesFreed('optimised kprobe', () => true),
    cause: {
      last: { within: ['optimized_callback'] },
      freed: { by: 'unregister_kprobe', waits: [[{ flavour: 'rcu' }]] },
    },
    scenario: scenario({
      setup: [OPTIMIZES, kprobeInBody(1), { do: 'settle' }],
      clients: [
        [
          { do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f1', offset: 10, post: true },
          { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
          { do: 'unregister_kprobe', kprobe: 'kprobe#2' },
        ],
      ],
    }),
    moves: [24, 24, 24],
  },
  {
    name: 'kprobe-that-waits-to-be-freed-is-queued-again',
    sentence:
      'A kprobe that has left, and whose jump a kprobe among its instructions took away, waits on freeing_list for the optimiser. Registered again before that, it is queued to be optimised: a WARN, and its int3 stays.',
    evidence:
      'kernel/kprobes.c of 6.1.192 and 6.12.117  unoptimize_kprobe: list_move() to freeing_list; reuse_unused_kprobe, optimize_kprobe: WARN_ON_ONCE(!list_empty(&op->list)). Seen on 6.12.117 and 7.2.13 with kprobes at vfs_fsync_range+0x9 and +0xd that came and went within 20 ms (rcu_expedited)',
    law: noWarnAndNoOops,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: warnsOf('optprobe on a list', () => true),
    cause: { last: { within: ['optimize_kprobe'] } },
    scenario: scenario({
      setup: [OPTIMIZES, kprobeAt(1, 39), { do: 'settle' }],
      clients: [
        [
          { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
          kprobeAt(2, 43),
          { do: 'unregister_kprobe', kprobe: 'kprobe#2' },
          kprobeAt(3, 39),
        ],
      ],
    }),
    moves: [34, 34, 34],
  },
];
