/** A step of a kernel function that no part of the default run executes. */
export interface UnexecutedStep {
  /** `free_rethook_node_rcu: free the node`. */
  readonly step: string;
  /** The command or the test that executes it, or the reason why none does. */
  readonly why: string;
}

const SHADOW_STACK_KRETPROBES =
  "--kernel '6.12, kretprobe = ret_stack' --law ftrace/return-hooks-run-in-reverse-order --sequences 60 executes it; no recorded kernel has it";

const SECOND_DESCRIPTOR =
  '--kernel 6.1 --law ftrace/no-double-registration --sequences 1000 --seed 5 executes it: the second descriptor of a page must fail or leave first';

const ONE_PAGE =
  "--kernel '6.12, imageLifecycle = A' --law trampoline/image-matches-attached-programs --sequences 60 executes it; no recorded kernel has it";

const PAGE_IS_FREED =
  'model/trampoline/shared-page.test.ts executes it, with imageLifecycle = A: the trampoline of a function goes; no recorded kernel has it';

const MULTI_IDS =
  "--kernel '6.12, multiLinks = multi ids' --law ftrace/multi-link-bookkeeping-is-consistent --sequences 150 executes it; it belongs to that design";

const ROLLBACK_OF_A_DESIGN =
  'it belongs to a design of multi links, in which an update of one function fails while another is rolled back';

const NESTED = 'two calls in one context must be nested: no handler of the model calls a traced function';

const SHARED_FPROBE =
  'model/ftrace/run/kprobe-busy.test.ts executes it: a kprobe must run on the CPU when an fprobe that is shared with kprobes is called';

/** The commands follow `npm run check --`. */
export const UNEXECUTED: readonly UnexecutedStep[] = [
  { step: 'modify_ftrace_direct(ip): allocate the descriptor of the new trampoline', why: SECOND_DESCRIPTOR },
  {
    step: 'fprobe_handler: count the miss',
    why: NESTED,
  },
  { step: 'fprobe_kprobe_handler: count the skipped call', why: SHARED_FPROBE },
  {
    step: 'fprobe_kprobe_handler: count the miss',
    why: NESTED,
  },
  ...['fprobe_ftrace_entry', 'fprobe_fgraph_entry'].map((handler) => ({
    step: `${handler}: count the skipped call`,
    why: SHARED_FPROBE,
  })),
  { step: 'fprobe_fgraph_entry: follow the call all the same', why: SHARED_FPROBE },
  { step: 'modify_ftrace_direct(ip): wait for rcu_tasks', why: SECOND_DESCRIPTOR },
  {
    step: 'enable_kprobe: arch_arm_kprobe',
    why: '--kernel 6.12 --law ftrace/no-double-registration --sequences 500 --seed 3 executes it: a disabled kprobe must be in the body',
  },
  {
    step: 'unregister_kretprobe: arch_disarm_kprobe',
    why: 'a kretprobe is at the entry of its function, whose kprobes are armed by ftrace',
  },
  {
    step: 'perf_event_detach_bpf_prog: bpf_prog_array_delete_safe',
    why: 'model/perf-event/event.test.ts executes it: the allocation of the array without the program must fail',
  },
  {
    step: 'ftrace_startup_subops: take the subops back',
    why: 'it takes a manager whose hashes cannot be updated: no injected failure is drawn there',
  },
  {
    step: 'ftrace_return_to_handler: stop the tracer',
    why: 'only a broken model gets there: each return that is hooked has its frame',
  },
  { step: 'ftrace_return_to_handler: a kretprobe', why: SHADOW_STACK_KRETPROBES },
  { step: 'ftrace_return_to_handler: read its owner', why: SHADOW_STACK_KRETPROBES },
  { step: 'ftrace_return_to_handler: call its handler', why: SHADOW_STACK_KRETPROBES },
  { step: 'ftrace_return_to_handler: leave its owner', why: SHADOW_STACK_KRETPROBES },
  { step: 'register_kretprobe: allocate shadow stacks for all tasks', why: SHADOW_STACK_KRETPROBES },
  ...[
    '__bpf_prog_enter_sleepable: rcu_read_lock_trace, migrate_disable',
    '__bpf_prog_enter_sleepable: set the run context',
    '__bpf_prog_exit_sleepable: reset the run context',
    '__bpf_prog_exit_sleepable: migrate_enable, rcu_read_unlock_trace',
  ].map((step) => ({
    step,
    why: 'model/trampoline/lsm.test.ts executes it: few programs of BPF LSM that sleep are drawn for a hook that may, and then called',
  })),
  {
    step: '__cgroup_bpf_attach: bpf_trampoline_unlink_cgroup_shim',
    why: 'model/trampoline/cgroup-lsm.test.ts executes it: the allocation after the shim must fail',
  },
  { step: 'bpf_tracing_prog_attach: multi links have its target', why: MULTI_IDS },
  { step: 'bpf_trampoline_put: wait for rcu_tasks', why: PAGE_IS_FREED },
  { step: 'bpf_trampoline_put: free the page of its images', why: PAGE_IS_FREED },
  { step: '__bpf_trampoline_link_prog (multi ids): leave the array', why: MULTI_IDS },
  { step: 'bpf_trampoline_multi_attach: singles: forget its image', why: MULTI_IDS },
  { step: 'bpf_trampoline_update: wait for rcu_tasks_trace', why: ONE_PAGE },
  { step: 'bpf_trampoline_update: wait for rcu_tasks', why: ONE_PAGE },
  {
    step: 'bpf_trampoline_multi_detach: singles: bpf_trampoline_rollback (single)',
    why: ROLLBACK_OF_A_DESIGN,
  },
  { step: 'unregister_fentry (multi): update_ftrace_direct_del', why: ROLLBACK_OF_A_DESIGN },
  {
    step: 'arch_rethook_trampoline_callback: panic',
    why: 'only a broken model gets there: each return that is hooked has its node',
  },
  {
    step: 'unregister_kretprobe: optimize_kprobe',
    why: 'a kretprobe is at the entry of its function, which never gets a jump',
  },
  {
    step: 'optimized_callback: count the miss',
    why: 'model/ftrace/kprobe-optimized.test.ts executes it: another kprobe must be running on the CPU',
  },
  {
    step: 'modify_fentry: bpf_arch_text_poke',
    why: 'model/trampoline/bpf-target.test.ts executes it: a BPF program must be the target of two programs',
  },
  { step: 'dev_change_xdp_fd: bpf_prog_put', why: 'an XDP program in generic mode is never refused' },
];
