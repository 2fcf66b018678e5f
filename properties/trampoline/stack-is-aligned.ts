import { CALL_ALIGNMENT } from '../../model/abi/x86-64.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import type { Law } from '../law/image-law.ts';
import { foundAt } from '../observed/seen.ts';

export const stackIsAligned: Law = {
  name: 'trampoline/stack-is-aligned',
  sentence: 'At the call of an original with stack arguments, rsp is a multiple of 16.',
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline (arg_stack_off)',
  premise: ({ stackWords, flags }) => stackWords > 0 && flags.CALL_ORIG,
  witness: 'an original called with stack arguments',
  on: {
    original: (memory, event, { stackWords, flags }) => {
      const rsp = wordOf(event, 2);
      const aligned = ((rsp.lo + 8) & (CALL_ALIGNMENT - 1)) === 0;
      if (aligned || stackWords === 0 || !flags.CALL_ORIG) return memory;
      const observed = (rsp.lo + 8) & (CALL_ALIGNMENT - 1);
      return foundAt(event, { is: 'stack-is-misaligned', observed });
    },
  },
};
