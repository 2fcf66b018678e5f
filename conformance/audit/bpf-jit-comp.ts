import type { Audit } from './row.ts';

export const BPF_JIT_COMP: Audit = {
  file: 'arch/x86/net/bpf_jit_comp.c',
  functions: [],
  open: ['bpf_arch_text_poke'],
};
