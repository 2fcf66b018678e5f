import { hasReturned } from '../../model/call-frame.ts';
import type { AttachLaw } from '../attach/moment.ts';

/** The ABI, which knows nothing of tracing. */
export const callersRegistersAndStackSurvive: AttachLaw = {
  name: 'ftrace/callers-registers-and-stack-survive',
  sentence:
    'A traced call gives its caller the saved registers, the stack pointer and the stack back as they were.',
  source: 'arch/x86/kernel/ftrace_64.S; arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline',
  witness: 'a call went through a site that is not a nop',
  judge: ({ action, outcome: { call }, before }) => {
    if (action.do !== 'call' || call === undefined || !hasReturned(call)) return 'no say';
    if (call.calleeSaved.length > 0)
      return {
        expected: 'the callee-saved registers are as before',
        observed: `${call.calleeSaved.join(', ')} changed`,
      };
    if (!call.stackBalanced) return { expected: 'rsp is as before', observed: 'it is not' };
    if (!call.callerStackIntact)
      return { expected: "the caller's stack is as before", observed: 'it was written to' };
    return Object.values(before.text.sites).some((bytes) => !bytes.startsWith(NOP)) ? 'held' : 'no say';
  },
};

const NOP = '0f1f';
