import type { AttachLaw } from '../law/sequence-law.ts';

export const writesHoldTheirLock: AttachLaw = {
  name: 'ftrace/writes-hold-their-lock',
  sentence:
    'Shared state is written only under the lock that guards it, and a function that asserts a lock runs under it.',
  source:
    'kernel/trace/ftrace.c ftrace_lock, direct_mutex; kernel/kprobes.c kprobe_mutex; kernel/bpf/trampoline.c trampoline_mutex',
  witness: 'guarded state written',
  watchesLocks: true,
  judge: ({ locking }) => {
    if (locking === undefined) return 'not applicable';
    return locking.unlocked[0] ?? (locking.isGuarded ? 'held' : 'not applicable');
  },
};
