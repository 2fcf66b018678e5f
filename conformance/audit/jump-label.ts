import type { Audit } from './row.ts';

export const JUMP_LABEL: Audit = {
  file: 'kernel/jump_label.c',
  functions: [],
  open: ['static_key_enable'],
};
