import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';

export const freedMemoryWasWaitedFor: AttachLaw = {
  name: 'ftrace/freed-memory-was-waited-for',
  sentence:
    'Memory that calls find is freed only after a wait, begun when no new call finds it, for each grace period that covers a task in it.',
  source:
    'kernel/bpf/trampoline.c bpf_tramp_image_put; kernel/trace/ftrace.c register_ftrace_direct_cb, free_ftrace_hash_rcu; kernel/tracepoint.c release_probes; kernel/bpf/core.c bpf_prog_array_free_sleepable',
  witness: 'memory freed that a call could find',
  watchesWaits: true,
  judge: (moment) => {
    const { freeing } = moment;
    if (freeing === undefined || !isAlive(moment)) return 'not applicable';
    return freeing.early[0] ?? (freeing.isFreed ? 'held' : 'not applicable');
  },
};
