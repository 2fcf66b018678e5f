import type { Audit } from './row.ts';

export const X86_RETHOOK: Audit = {
  file: 'arch/x86/kernel/rethook.c',
  functions: [],
  open: ['arch_rethook_trampoline_callback'],
};
