/** A function of the kernel that asserts a lock, or says that its caller holds it. */
export interface AssertedLock {
  readonly routine: string;
  /** The part from which on it needs the lock, where it takes it itself; without one, its first. */
  readonly part?: string;
  readonly lock: string;
  readonly source: string;
}

function asserts(lock: string, routines: readonly string[], source: string): AssertedLock[] {
  return routines.map((routine) => ({ routine, lock, source }));
}

function assertsFrom(
  part: string,
  lock: string,
  routines: readonly string[],
  source: string,
): AssertedLock[] {
  return routines.map((routine) => ({ routine, part, lock, source }));
}

/** The assertions of the kernel: lockdep_assert_held(), ASSERT_RTNL(), lockdep_is_held() of what it reads. */
export const ASSERTED_LOCKS: readonly AssertedLock[] = [
  ...asserts(
    'text_mutex',
    ['text_poke_bp_batch'],
    'arch/x86/kernel/alternative.c  lockdep_assert_held(&text_mutex) in text_poke_bp_batch',
  ),
  ...asserts(
    'ftrace_lock',
    ['ftrace_startup', 'ftrace_shutdown', '__register_ftrace_function', '__unregister_ftrace_function'],
    'kernel/trace/ftrace.c  lockdep_is_held(&ftrace_lock) in update_ftrace_function, remove_ftrace_ops',
  ),
  ...asserts(
    'ftrace_lock',
    ['arch_ftrace_update_trampoline', 'ftrace_trampoline_free'],
    'kernel/trace/ftrace.c  lockdep_assert_held(&ftrace_lock) in ftrace_add_trampoline_to_kallsyms and its reverse',
  ),
  ...asserts(
    'direct_mutex',
    ['__modify_ftrace_direct', 'prepare_direct_functions_for_ipmodify'],
    'kernel/trace/ftrace.c  lockdep_assert_held_once(&direct_mutex) in the functions of these names (6.1: _multi)',
  ),
  ...asserts(
    'direct_mutex',
    ['ftrace_modify_direct_caller'],
    'kernel/trace/ftrace.c (6.1)  lockdep_assert_held(&direct_mutex) in ftrace_modify_direct_caller',
  ),
  ...asserts(
    'kprobe_mutex',
    ['__arm_kprobe_ftrace', '__disarm_kprobe_ftrace', 'kill_kprobe'],
    'kernel/kprobes.c  lockdep_assert_held(&kprobe_mutex) in the functions of these names',
  ),
  ...asserts(
    'text_mutex',
    ['arch_optimize_kprobes', 'arch_unoptimize_kprobe'],
    'kernel/kprobes.c  lockdep_assert_held(&text_mutex) in do_optimize_kprobes, do_unoptimize_kprobes',
  ),
  ...asserts(
    'fprobe_mutex',
    ['fprobe_add_ips', 'fprobe_remove_ips'],
    'kernel/trace/fprobe.c (7.2)  lockdep_assert_held(&fprobe_mutex) in fprobe_graph_add_ips, fprobe_ftrace_add_ips',
  ),
  ...asserts(
    'tracepoints_mutex',
    ['tracepoint_add_func', 'tracepoint_remove_func'],
    'kernel/tracepoint.c  lockdep_is_held(&tracepoints_mutex) in the functions of these names',
  ),
  ...asserts(
    'cgroup_mutex',
    ['__cgroup_bpf_attach', 'bpf_trampoline_link_cgroup_shim'],
    'kernel/bpf/cgroup.c  lockdep_assert_held(&cgroup_mutex) in bpf_cgroup_atype_find, bpf_cgroup_atype_get',
  ),
  ...assertsFrom(
    'the kprobe is not registered',
    'kprobe_mutex',
    ['disable_kprobe', 'enable_kprobe'],
    'kernel/kprobes.c  lockdep_assert_held(&kprobe_mutex) in __get_valid_kprobe',
  ),
  ...assertsFrom(
    'disable the kprobe',
    'kprobe_mutex',
    ['disable_kprobe', 'unregister_kprobe', 'unregister_kretprobe'],
    'kernel/kprobes.c  lockdep_assert_held(&kprobe_mutex) in __disable_kprobe',
  ),
  ...assertsFrom(
    'the module is loaded',
    'module_mutex',
    ['init_module'],
    'kernel/module/main.c (6.1, 6.12)  module_assert_mutex_or_preempt() in find_module_all, which add_unformed_module calls',
  ),
  ...assertsFrom(
    'no such module is loaded',
    'module_mutex',
    ['delete_module'],
    'kernel/module/main.c (6.1, 6.12)  module_assert_mutex_or_preempt() in find_module_all, which delete_module calls',
  ),
  ...assertsFrom(
    'choose the trace function',
    'ftrace_lock',
    ['ftrace_enable_sysctl'],
    'kernel/trace/ftrace.c  lockdep_is_held(&ftrace_lock) in ftrace_enable_sysctl, update_ftrace_function',
  ),
  ...assertsFrom(
    'the event call has too many',
    'bpf_event_mutex',
    ['perf_event_attach_bpf_prog'],
    'kernel/trace/bpf_trace.c  lockdep_is_held(&bpf_event_mutex) in bpf_event_rcu_dereference',
  ),
  ...assertsFrom(
    'bpf_prog_array_copy',
    'bpf_event_mutex',
    ['perf_event_detach_bpf_prog'],
    'kernel/trace/bpf_trace.c  lockdep_is_held(&bpf_event_mutex) in bpf_event_rcu_dereference',
  ),
  ...asserts('rtnl_mutex', ['dev_xdp_attach'], 'net/core/dev.c  ASSERT_RTNL() in dev_xdp_attach'),
];
