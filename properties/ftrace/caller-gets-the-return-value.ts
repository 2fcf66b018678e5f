import type { AttachLaw } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

export const callerGetsTheReturnValue: AttachLaw = {
  name: 'ftrace/caller-gets-the-return-value',
  sentence:
    'The caller gets the value of the body, of its replacement, or of the program that stopped the call.',
  source: 'Documentation/bpf/prog_lsm.rst; kernel/bpf/trampoline.c  BPF_TRAMP_MODIFY_RETURN',
  witness: 'a traced call of a function that returns a value',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined || seen.expected.returns === undefined) return 'not applicable';
    const { calls, run } = seen;
    const { fn, returns } = seen.expected;
    if (run.rax !== returns) return { is: 'return-value-differs', fn, expected: returns, observed: run.rax };
    return calls.some(({ clients }) => clients.length > 0) ? 'held' : 'not applicable';
  },
};
