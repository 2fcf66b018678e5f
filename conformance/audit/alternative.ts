import type { Audit } from './row.ts';

export const ALTERNATIVE: Audit = {
  file: 'arch/x86/kernel/alternative.c',
  functions: [],
  open: ['text_poke_bp_batch'],
};
