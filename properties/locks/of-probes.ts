import { profileNamed } from '../../model/core/profile.ts';
import type { GuardedState, Write } from './guarded-state.ts';
import { isModuleGone } from './private-writes.ts';

const KPROBES_C = 'kernel/kprobes.c  kprobe_table: lockdep_is_held(&kprobe_mutex) in get_kprobe';
const FPROBE_C =
  'kernel/trace/fprobe.c (7.2)  lockdep_assert_held(&fprobe_mutex) in insert_fprobe_node, delete_fprobe_node';

/**
 * A kprobe that is in the table. register_kprobe() sets the flags of another one before it takes the lock: the memory is
 * its client's.
 */
function isInTable({ before, after, keys: [kprobe = ''] }: Write): boolean {
  return [before, after].some(({ probes: { kprobeTable } }) =>
    Object.values(kprobeTable).some(({ probes }) => probes.includes(kprobe as never)),
  );
}

/** kernel/kprobes.c, kernel/trace/fprobe.c. */
export const OF_PROBES: readonly GuardedState[] = [
  {
    state: 'probes.kprobeTable.**',
    locks: ['kprobe_mutex'],
    source: KPROBES_C,
    when: (write) => !isModuleGone(write),
  },
  {
    state: 'probes.armed.*',
    locks: ['kprobe_mutex'],
    source:
      'kernel/kprobes.c  lockdep_assert_held(&kprobe_mutex) in __arm_kprobe_ftrace, __disarm_kprobe_ftrace',
  },
  ...['disabled', 'gone'].map((flag) => ({
    state: `probes.kprobes.*.${flag}`,
    locks: ['kprobe_mutex'],
    source:
      'kernel/kprobes.c  lockdep_assert_held(&kprobe_mutex) in __disable_kprobe, kill_kprobe; enable_kprobe',
    when: isInTable,
  })),
  ...['probes.optimizer.allowed', 'probes.optimizer.ops.**'].map((state) => ({
    state,
    locks: ['kprobe_mutex'],
    source: 'kernel/kprobes.c  optimize_all_kprobes, unoptimize_all_kprobes, kprobe_optimizer: kprobe_mutex',
    // __unregister_kprobe_bottom() frees what has left the table, after a grace period and without the lock.
    when: (write: Write) => write.new !== undefined,
  })),
  ...['probes.fprobeTable.*', 'probes.fprobeNodes.*', 'probes.fprobeRegistered.*'].map((state) => ({
    state,
    locks: ['fprobe_mutex'],
    source: FPROBE_C,
  })),
  {
    state: 'probes.fprobes.*.registered',
    locks: ['fprobe_mutex'],
    source: FPROBE_C,
    // On rethook an fprobe has no lock but that of its ops.
    when: ({ after }) => profileNamed(after.profile).fprobe === 'fgraph',
  },
];
