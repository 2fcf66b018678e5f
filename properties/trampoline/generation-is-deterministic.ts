import type { Law } from '../law/image-law.ts';

export const generationIsDeterministic: Law = {
  name: 'trampoline/generation-is-deterministic',
  sentence: 'The same request at the same address gives the same bytes.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: ({ generation }) => generation !== undefined,
  witness: 'an image was generated twice',
  inspect: ({ generation, bytes }) => {
    const again = generation?.again();
    if (again === undefined) return undefined;
    const index = bytes.findIndex((byte, i) => byte !== again[i]);
    if (index < 0 && bytes.length === again.length) return undefined;
    const observed = index < 0 ? `${again.length} bytes` : `another byte at tramp#1+0x${index.toString(16)}`;
    return {
      expected: `the second generation gives the same ${bytes.length} bytes`,
      observed: `it gives ${observed}`,
    };
  },
};
