import type { Audit } from './row.ts';

export const X86_KPROBES_FTRACE: Audit = {
  file: 'arch/x86/kernel/kprobes/ftrace.c',
  functions: [],
  open: ['kprobe_ftrace_handler'],
};
