import { TAIL_CALL } from '../../model/trampoline/stage/groups.ts';
import type { Law } from '../law/image-law.ts';
import { foundAt, isWhole, seenWord } from '../observed/seen.ts';

export const tailCallCounterIsPreserved: Law = {
  name: 'trampoline/tail-call-counter-is-preserved',
  sentence:
    'If the target is a BPF program that may make tail calls, rax at the original is what it was on entry to the image.',
  source: 'arch/x86/net/bpf_jit_comp.c  LOAD_TRAMP_TAIL_CALL_CNT_PTR',
  premise: ({ flags }) => flags.TAIL_CALL_CTX,
  witness: 'a target with a tail-call counter',
  on: {
    original: (memory, event, { flags }) =>
      !flags.TAIL_CALL_CTX || isWhole(event, 3, TAIL_CALL)
        ? memory
        : foundAt(event, { is: 'tail-call-counter-is-lost', observed: seenWord(event, 3) }),
  },
};
