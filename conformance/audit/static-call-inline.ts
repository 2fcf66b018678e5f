import type { Audit } from './row.ts';

export const STATIC_CALL_INLINE: Audit = {
  file: 'kernel/static_call_inline.c',
  functions: [],
  open: ['__static_call_update'],
};
