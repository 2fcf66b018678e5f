import type { Law } from '../law/image-law.ts';

/** Its finding comes from where the run stops (`stopped.ts`). It lets one run represent all argument values. */
export const argumentsAreOnlyCopied: Law = {
  name: 'trampoline/arguments-are-only-copied',
  sentence:
    'No branch and no address in an image depends on an argument or a return value, except on whether it is zero.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: ({ contract }) => contract.slots.length > 0,
  witness: 'a function with an argument',
};
