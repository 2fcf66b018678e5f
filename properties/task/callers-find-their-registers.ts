import { hasReturned } from '../../model/call-frame.ts';
import type { TaskLaw } from './task-law.ts';

/** I-45, second half. */
export const callersFindTheirRegisters: TaskLaw = {
  name: 'task/callers-find-their-registers',
  sentence:
    'A call that overlaps operations gives its caller registers, stack pointer and stack back as they were.',
  source: 'arch/x86/kernel/ftrace_64.S; arch/x86/net/bpf_jit_comp.c __arch_prepare_bpf_trampoline',
  witness: 'a call overlapped an operation',
  judge: ({ happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'no say';
    const { run, during } = happening;
    if (run.calleeSaved.length > 0)
      return {
        expected: 'the callee-saved registers are as before',
        observed: `${run.calleeSaved.join(', ')} changed`,
      };
    if (!run.stackBalanced) return { expected: 'rsp is as before', observed: 'it is not' };
    if (!run.callerStackIntact)
      return { expected: "the caller's stack is as before", observed: 'it was written to' };
    return during.length > 0 ? 'held' : 'no say';
  },
};
