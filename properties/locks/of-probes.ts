import type { GuardedState, Write } from './guarded-state.ts';
import { isModuleGone } from './private-writes.ts';

const KPROBES_C = 'kernel/kprobes.c  kprobe_table';
const FPROBE_C = 'kernel/trace/fprobe.c  fprobe_hash, fprobe_ip_table: "protected by fprobe_mutex"';

/** A kprobe that is in the table; the memory of another one is its client's. */
function isInTable({ before, keys: [kprobe = ''] }: Write): boolean {
  return Object.values(before.probes.kprobeTable).some(({ probes }) => probes.includes(kprobe as never));
}

/** kernel/kprobes.c, kernel/trace/fprobe.c. */
export const OF_PROBES: readonly GuardedState[] = [
  {
    state: 'probes.kprobeTable.**',
    locks: ['kprobe_mutex'],
    source: `${KPROBES_C}: "kprobe_table is updated under kprobe_mutex"`,
    when: (write) => !isModuleGone(write),
  },
  {
    state: 'probes.armed.*',
    locks: ['kprobe_mutex'],
    source:
      'kernel/kprobes.c  __arm_kprobe_ftrace, __disarm_kprobe_ftrace: lockdep_assert_held(&kprobe_mutex)',
  },
  ...['disabled', 'gone'].map((flag) => ({
    state: `probes.kprobes.*.${flag}`,
    locks: ['kprobe_mutex'],
    source:
      'include/linux/kprobes.h  struct kprobe: flags, "protected by kprobe_mutex after this kprobe is registered"',
    when: isInTable,
  })),
  ...['probes.optimizer.allowed', 'probes.optimizer.ops.**'].map((state) => ({
    state,
    locks: ['kprobe_mutex'],
    source: 'kernel/kprobes.c  kprobes_allow_optimization, optimizing_list, freeing_list: "kprobe_mutex"',
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
    when: ({ after }) => Object.keys(after.probes.fprobeTable).length > 0,
  },
];
