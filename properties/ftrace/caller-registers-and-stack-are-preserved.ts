import { hasReturned } from '../../model/call/call-frame.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { whatCallerLost } from '../observed/caller-lost.ts';

/** The ABI, for which tracing does not exist. */
export const callerRegistersAndStackArePreserved: AttachLaw = {
  name: 'ftrace/caller-registers-and-stack-are-preserved',
  sentence: "A traced call preserves its caller's callee-saved registers, stack pointer and stack.",
  source: 'arch/x86/kernel/ftrace_64.S; arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline',
  witness: 'a call through a patched site',
  judge: ({ action, outcome: { call }, before }) => {
    if (action.do !== 'call' || call === undefined || !hasReturned(call)) return 'not applicable';
    const lost = whatCallerLost(call);
    if (lost !== undefined) return lost;
    return Object.values(before.text.sites).some((bytes) => !bytes.startsWith(NOP))
      ? 'held'
      : 'not applicable';
  },
};

const NOP = '0f1f';
