import type { Law } from '../law/image-law.ts';

/** Its finding comes from where the run stops (`stopped.ts`). */
export const imageReturnsWithoutAFault: Law = {
  name: 'trampoline/image-returns-without-a-fault',
  sentence:
    'A call through the image returns: it accesses only permitted memory, uses no undefined byte and does not loop forever.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: () => true,
  witness: 'a call',
};
