import type { Audit } from './row.ts';

export const FTRACE_64: Audit = {
  file: 'arch/x86/kernel/ftrace_64.S',
  functions: [],
  open: ['ftrace_stub'],
};
