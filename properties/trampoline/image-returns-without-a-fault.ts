import type { Law } from '../law/image-law.ts';

/** Its finding is made where the run stops (`stopped.ts`). */
export const imageReturnsWithoutAFault: Law = {
  name: 'trampoline/image-returns-without-a-fault',
  sentence:
    'A call through the image comes back: no access outside what is mapped and permitted, no use of an undefined byte, no endless run.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: () => true,
  witness: 'a call was made',
};
