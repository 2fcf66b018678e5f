import { entry } from '../../model/core/present.ts';

/** The kernel's files, each with the functions that are modelled as routines; a table. */
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
    'ftrace_set_notrace',
    'ftrace_hash_move_and_update_subops',
    'append_hashes',
    'intersect_hashes',
    'rebuild_hashes',
    'ftrace_update_ops',
    'ftrace_run_update_code',
    'update_ftrace_func',
    'ftrace_trampoline_free',
    'cleanup_direct_functions_after_ipmodify',
    'ftrace_free_filter',
    'register_ftrace_function_nolock',
    'ftrace_set_filter_ip',
    'ftrace_modify_direct_caller',
    'register_ftrace_function',
    'ftrace_module_enable',
    'free_ftrace_hash_rcu',
    'register_ftrace_direct_cb',
    'arch_ftrace_ops_list_func',
    'call_direct_funcs',
    'ftrace_ops_assist_func',
  ],
  'kernel/trace/fgraph.c': [
    'register_ftrace_graph',
    'ftrace_graph_disable_direct',
    'ftrace_graph_enable_direct',
    'unregister_ftrace_graph',
    'function_graph_enter',
    'function_graph_enter_regs',
    'ftrace_return_to_handler',
  ],
  'kernel/trace/fprobe.c': [
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
  'kernel/kprobes.c': [
    'register_kprobe',
    'register_kretprobe',
    'unregister_kprobe',
    'disable_kprobe',
    'enable_kprobe',
    '__disarm_kprobe_ftrace',
    '__arm_kprobe_ftrace',
    'unregister_kretprobe',
    'kill_kprobe',
  ],
  'kernel/trace/bpf_trace.c': ['bpf_kprobe_multi_link_attach', '__bpf_trace_run'],
  'kernel/bpf/syscall.c': [
    'bpf_prog_load',
    'link_create',
    'bpf_link_release',
    'bpf_prog_release',
    'bpf_tracing_prog_attach',
    'bpf_raw_tp_link_attach',
    'bpf_raw_tp_link_release',
    'bpf_prog_put',
    '__bpf_prog_put',
    'bpf_link_dealloc',
  ],
  'kernel/tracepoint.c': [
    'allocate_probes',
    'tracepoint_add_func',
    'tracepoint_remove_func',
    'tracepoint_probe_register_prio',
    'tp_rcu_cond_sync',
    'tp_rcu_get_state',
    'release_probes',
    'tracepoint_probe_unregister',
    'tp_transition_snapshot',
    'rcu_free_old_probes',
  ],
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
    'direct_ops_del',
    'bpf_tramp_image_put',
    'modify_fentry',
    'direct_ops_mod',
    'bpf_tramp_image_free',
    'bpf_trampoline_put',
    'bpf_trampoline_remove_prog',
    'bpf_trampoline_skip_prog',
    'bpf_trampoline_multi_attach_rollback',
    'bpf_trampoline_multi_attach_free',
    'bpf_trampoline_link_prog',
    'bpf_trampoline_multi_detach',
    'bpf_trampoline_unlink_prog',
    '__bpf_tramp_image_put',
    '__bpf_prog_enter_recur',
    '__bpf_prog_exit_recur',
    '__bpf_prog_enter_sleepable_recur',
    '__bpf_prog_exit_sleepable_recur',
  ],
  'arch/x86/net/bpf_jit_comp.c': ['bpf_arch_text_poke'],
  'kernel/module/main.c': ['init_module', 'delete_module'],
  'arch/x86/kernel/ftrace.c': ['ftrace_replace_code', 'ftrace_graph_func'],
  'arch/x86/kernel/ftrace_64.S': ['ftrace_stub'],
  'arch/x86/kernel/alternative.c': ['text_poke_bp_batch'],
  'arch/x86/kernel/kprobes/ftrace.c': ['kprobe_ftrace_handler'],
  'kernel/trace/rethook.c': ['rethook_free_rcu', 'free_rethook_node_rcu'],
  'arch/x86/kernel/rethook.c': ['arch_rethook_trampoline_callback'],
  'kernel/static_call_inline.c': ['__static_call_update'],
  'kernel/jump_label.c': ['static_key_enable'],
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
