import type { Audit } from './row.ts';

export const MODULE: Audit = {
  file: 'kernel/module/main.c',
  functions: [],
  open: ['init_module', 'delete_module'],
};
