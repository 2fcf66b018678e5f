import type { Audit } from './row.ts';

export const RETHOOK: Audit = {
  file: 'kernel/trace/rethook.c',
  functions: [],
  open: ['rethook_free_rcu', 'free_rethook_node_rcu'],
};
