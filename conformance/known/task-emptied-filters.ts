import { register, scenario, tracer } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, kprobe, kretprobe } from '../../properties/planted/sequences/actions.ts';
import { missesAreCountedOnceInTasks } from '../../properties/task/each-missed-call-is-counted-once.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { ON_OPS_OF_KPROBES, OPS_OF_KPROBES } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { COUNTS_A_MISS_OF_WHAT_IT_SEES, seenInstead } from './task-shows.ts';

/** A walk is at the ops of kprobes whose last function leaves its filter: an empty one means every function. */
const IS_EMPTIED_UNDER_A_WALK: KnownTask['cause'] = {
  stood: [{ at: ON_OPS_OF_KPROBES, did: [{ by: '__ftrace_hash_move_and_update_ops', ops: OPS_OF_KPROBES }] }],
};

/** The last kprobe of an ops is unregistered from another function. */
const LAST_OF_ITS_OPS_GOES = [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }]] as const;
const BESIDE_AN_OPS = [...tracer('ops#1'), register('ops#1'), kprobe(1, true, 'f2')];

/** Known breaches of walks of the ops list that are at an ops when its filter is emptied. */
export const KNOWN_EMPTIED_FILTERS: readonly KnownTask[] = [
  {
    name: 'emptied-filter-of-kprobes-shows-a-call-twice',
    sentence:
      'The last kprobe of one of the two ops of kprobes is unregistered: its ops leaves the list, no walk is waited for, and its filter is emptied, which means every function. A walk that is at it calls kprobe_ftrace_handler() again, and the kprobes of the other ops see the call twice.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13 (kprobe f1, ftrace f1, kprobe f1, body f1); kernel/kprobes.c of all three  __disarm_kprobe_ftrace: ftrace_set_filter_ip() after unregister_ftrace_function(); kernel/trace/ftrace.c  ftrace_shutdown: an ops that is not FTRACE_OPS_FL_DYNAMIC is not waited for; ftrace_ops_test, ftrace_hash_empty',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['kretprobe'],
    shows: seenInstead(['kprobe', 'kprobe post', 'kretprobe entry', 'kretprobe'], 2),
    cause: IS_EMPTIED_UNDER_A_WALK,
    scenario: scenario({
      functions: [F1, F2],
      setup: [kprobe(2), ...BESIDE_AN_OPS],
      clients: LAST_OF_ITS_OPS_GOES,
    }),
    moves: [48, 48, 48],
  },
  {
    name: 'emptied-filter-of-kprobes-counts-a-miss',
    sentence:
      'The same for a kretprobe: when its call comes again, no instance is left, and it counts a miss of a call that it sees.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13 (kretprobe#1 misses 1, and its return is seen); as emptied-filter-of-kprobes-shows-a-call-twice; kernel/kprobes.c  pre_handler_kretprobe: rp->nmissed++',
    law: missesAreCountedOnceInTasks,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['kretprobe'],
    shows: COUNTS_A_MISS_OF_WHAT_IT_SEES,
    cause: IS_EMPTIED_UNDER_A_WALK,
    scenario: scenario({
      functions: [F1, F2],
      setup: [{ ...kretprobe(1), maxactive: 1 }, ...BESIDE_AN_OPS],
      clients: LAST_OF_ITS_OPS_GOES,
    }),
    moves: [56, 56, 56],
  },
];
