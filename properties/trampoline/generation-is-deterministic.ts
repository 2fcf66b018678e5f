import type { Law } from '../law/image-law.ts';

export const generationIsDeterministic: Law = {
  name: 'trampoline/generation-is-deterministic',
  sentence: 'The same request at the same address generates the same bytes.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: ({ generation }) => generation !== undefined,
  witness: 'an image generated twice',
  inspect: ({ generation, bytes }) => {
    const again = generation?.again();
    if (again === undefined) return undefined;
    const index = bytes.findIndex((byte, i) => byte !== again[i]);
    if (index < 0 && bytes.length === again.length) return undefined;
    const observed =
      index < 0 ? ({ is: 'bytes', count: again.length } as const) : ({ is: 'offset', count: index } as const);
    return { finding: { is: 'second-generation-differs', expected: bytes.length, observed } };
  },
};
