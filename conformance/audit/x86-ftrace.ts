import type { Audit } from './row.ts';

export const X86_FTRACE: Audit = {
  file: 'arch/x86/kernel/ftrace.c',
  functions: [],
  open: ['ftrace_replace_code', 'ftrace_graph_func'],
};
