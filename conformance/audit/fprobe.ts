import type { Audit } from './row.ts';

export const FPROBE: Audit = {
  file: 'kernel/trace/fprobe.c',
  functions: [],
  open: [
    'register_fprobe_ips',
    'unregister_fprobe',
    'fprobe_add_ips',
    'fprobe_remove_ips',
    'fprobe_module_callback',
    'fprobe_fgraph_entry',
    'fprobe_ftrace_entry',
    'fprobe_handler',
    'fprobe_return',
  ],
};
