import { entry } from '../../model/core/present.ts';

/** The kernel's files, each with the modelled functions that have return sites; a table. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  'kernel/trace/ftrace.c': [
    'ftrace_set_hash',
    'unregister_ftrace_function',
    'register_ftrace_direct',
    'modify_ftrace_direct',
    'unregister_ftrace_direct',
    'update_ftrace_direct_add',
    'update_ftrace_direct_del',
    'update_ftrace_direct_mod',
    'ftrace_enable_sysctl',
    '__ftrace_hash_move_and_update_ops',
    'prepare_direct_functions_for_ipmodify',
    'ftrace_shutdown',
    '__modify_ftrace_direct',
    '__ftrace_hash_update_ipmodify',
    'ftrace_startup',
    '__unregister_ftrace_function',
    'ftrace_startup_subops',
    'ftrace_shutdown_subops',
    '__register_ftrace_function',
    'modify_ftrace_direct_nolock',
  ],
  'kernel/trace/fgraph.c': ['register_ftrace_graph'],
  'kernel/trace/fprobe.c': ['register_fprobe_ips', 'unregister_fprobe'],
  'kernel/kprobes.c': ['register_kprobe', 'register_kretprobe'],
  'kernel/trace/bpf_trace.c': ['bpf_kprobe_multi_link_attach'],
  'kernel/bpf/syscall.c': [
    'bpf_prog_load',
    'link_create',
    'bpf_link_release',
    'bpf_prog_release',
    'bpf_tracing_prog_attach',
    'bpf_raw_tp_link_attach',
  ],
  'kernel/tracepoint.c': ['allocate_probes', 'tracepoint_add_func', 'tracepoint_remove_func'],
  'kernel/bpf/trampoline.c': [
    'bpf_trampoline_get',
    'bpf_trampoline_multi_attach',
    'bpf_tramp_ftrace_ops_func',
    '__bpf_trampoline_link_prog',
    '__bpf_trampoline_unlink_prog',
    'bpf_trampoline_update',
    'register_fentry',
    'unregister_fentry',
    'direct_ops_add',
  ],
  'arch/x86/net/bpf_jit_comp.c': ['bpf_arch_text_poke'],
  'kernel/module/main.c': ['init_module', 'delete_module'],
};

/** All functions of the table. */
export const KERNEL_FUNCTIONS: readonly string[] = Object.values(FUNCTIONS).flat();

/** The kernel's function that a routine of the model is, or is a part of: `register_fprobe_ips (fgraph)` is one. */
export function kernelFunction(routine: string): string {
  return /^\w+/.exec(routine)?.[0] ?? routine;
}

/** The file that has it; undefined for functions that only designs have. */
export function kernelFile(routine: string): string | undefined {
  const name = kernelFunction(routine);
  return Object.keys(FUNCTIONS).find((path) => entry(FUNCTIONS, path).includes(name));
}

/** `kernel/trace/ftrace.c  register_ftrace_direct`. */
export function kernelPlace(routine: string): string | undefined {
  const file = kernelFile(routine);
  return file === undefined ? undefined : `${file}  ${kernelFunction(routine)}`;
}
