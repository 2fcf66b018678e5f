import { hasReturned } from '../../model/call/call-frame.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { whatCallerLost } from '../observed/caller-lost.ts';

/** I-45, second half. */
export const callerRegistersArePreserved: TaskLaw = {
  name: 'task/caller-registers-are-preserved',
  sentence: "A call that overlaps operations preserves its caller's registers, stack pointer and stack.",
  source: 'arch/x86/kernel/ftrace_64.S; arch/x86/net/bpf_jit_comp.c __arch_prepare_bpf_trampoline',
  witness: 'a call that overlaps an operation',
  judge: ({ happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'not applicable';
    const { run, during } = happening;
    const lost = whatCallerLost(run);
    if (lost !== undefined) return lost;
    return during.length > 0 ? 'held' : 'not applicable';
  },
};
