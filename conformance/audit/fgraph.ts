import type { Audit } from './row.ts';

export const FGRAPH: Audit = {
  file: 'kernel/trace/fgraph.c',
  functions: [],
  open: [
    'register_ftrace_graph',
    'ftrace_graph_disable_direct',
    'ftrace_graph_enable_direct',
    'unregister_ftrace_graph',
    'function_graph_enter',
    'function_graph_enter_regs',
    'ftrace_return_to_handler',
  ],
};
