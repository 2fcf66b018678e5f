import type { Fixes } from './fix.ts';
import { known, notModelled, planted, relative } from './fix.ts';

/** Bugs of kprobes, kretprobes and fprobes. */
export const PROBE_FIXES: Fixes = {
  'kprobe-after-dead-ftrace': {
    title: 'kprobes: avoid crash when rmmod/insmod after ftrace killed',
    fixed: '6.12.78',
    here: known(
      'kprobe-memory-is-reused',
      'The kprobe cannot be disarmed because another ops has armed it; ftrace is alive.',
    ),
  },
  'post-handler-is-cleared': {
    title: "kprobes: Skip clearing aggrprobe's post_handler in kprobe-on-ftrace case",
    fixed: '6.0.10',
    here: planted('post-handler-of-the-address-is-cleared'),
  },
  'disabled-kprobe-is-disarmed-again': {
    title: 'kprobes: Fix to check probe enabled before disarm_kprobe_ftrace()',
    fixed: '5.8.13',
    here: planted('disabled-kprobe-is-disarmed-again'),
  },
  'kprobe-module-goes-while-it-is-armed': {
    title: 'kprobes: Fix possible use-after-free issue on kprobe registration',
    fixed: '6.1.87',
    here: planted('module-is-held-too-late'),
  },
  'kretprobe-is-registered-again': {
    title: 'kretprobe: Avoid re-registration of the same kretprobe earlier',
    fixed: '5.10.15',
    here: planted('kretprobe-is-registered-twice'),
  },
  'pool-goes-before-the-ops': {
    title: 'fprobe: Release rethook after the ftrace_ops is unregistered',
    fixed: '6.5',
    here: planted('fprobe-goes-before-its-ops'),
  },
  'exit-handler-outlives-its-fprobe': {
    title: 'fprobe: Ensure running fprobe_exit_handler() finished before calling rethook_free()',
    fixed: '6.5',
    here: planted('fprobe-is-not-waited-for'),
  },
  'fprobe-keeps-the-recursion-bit': {
    title: 'fprobe: add unlock to match a succeeded ftrace_test_recursion_trylock',
    fixed: '6.5',
    here: planted('recursion-bit-stays-set'),
  },
  'pool-has-no-nodes': {
    title: 'fprobe: Fix to ensure the number of active retprobes is not zero',
    fixed: '6.6',
    here: planted('no-active-retprobes'),
  },
  'entry-data-overflows-its-node': {
    title: 'fprobe: Fix to allocate entry_data_size buffer with rethook instances',
    fixed: '6.8',
    here: planted('entry-data-overflows-its-node'),
  },
  'failed-fprobe-stays-in-the-table': {
    title: 'tracing/fprobe: Remove fprobe from hash in failure path',
    commit: '845947ac',
    fixed: '7.1',
    here: planted('failed-fprobe-stays-in-the-table'),
  },
  'fprobe-unregister-fails-without-memory': {
    title: 'tracing/fprobe: Unregister fprobe even if memory allocation fails',
    commit: '1aec9e5c',
    fixed: '7.1',
    here: planted('fprobe-unregister-needs-memory'),
  },
  'fprobe-of-the-other-kind': {
    title: 'tracing/fprobe: Check the same type fprobe on table as the unregistered one',
    commit: '0ac0058a',
    fixed: '7.1',
    here: planted('fprobe-of-another-kind-keeps-the-function'),
  },
  'fprobe-ops-traces-everything': {
    title: 'tracing/fprobe: Fix to unregister ftrace_ops if it is empty on module unloading',
    commit: '476c5bba',
    fixed: '7.1',
    here: planted('fprobes-of-a-module-leave-the-filter'),
  },
  'fprobe-allocates-in-an-rcu-section': {
    title: 'tracing/fprobe: Avoid kcalloc() in rcu_read_lock section',
    commit: 'aa72812b',
    fixed: '7.1',
    here: notModelled('sections in which a task must not sleep'),
  },
  'registered-fprobe-is-initialised-again': {
    title: 'tracing/fprobe: Reject registration of a registered fprobe before init',
    commit: '6ad51ada',
    fixed: '7.1',
    here: planted('registered-fprobe-is-initialised'),
  },
  'fgraph-data-is-not-terminated': {
    title: 'fprobe: Terminate the fgraph_data list when the reservation is not filled',
    commit: '1d653a183973',
    fixed: '2025 or 2026',
    here: planted('headers-are-not-terminated'),
  },
  'fprobe-keeps-its-module': {
    title: 'fprobe: Fix module reference count leak on error in register_fprobe()',
    commit: '8cf2f40ceb85',
    fixed: '2025 or 2026',
    here: notModelled('module references of fprobes'),
  },
  'fprobe-entry-follows-null': {
    title: 'fprobe_fgraph_entry() follows a NULL pointer',
    commit: '367c49d6e283',
    fixed: '2025 or 2026',
    here: planted('cleared-node-is-followed'),
  },
  'fprobe-event-is-not-rolled-back': {
    title: 'enable_trace_fprobe() does not roll back after a failure',
    commit: 'aca0cd1bf165',
    fixed: '2025 or 2026',
    here: notModelled('events of fprobes'),
  },
  'fprobe-without-rcu': {
    title: 'fprobe: guard(rcu_sched_notrace), rcu_is_watching()',
    commit: 'e0a624919040',
    fixed: '2025 or 2026',
    here: notModelled('calls where RCU is not watching'),
  },
  'kprobes-without-ftrace': {
    title: 'kprobes: check kprobe_ftrace_disabled in __disarm_kprobe_ftrace()',
    fixed: '2025 or 2026',
    here: known(
      'kprobe-that-a-dead-ftrace-keeps-enabled-is-not-counted',
      'That is 6.1, which has no kprobe_ftrace_disabled at all.',
    ),
  },
  'optimised-kprobe-overlaps-a-disarmed-one': {
    title: 'disarmed kprobes and an optimised one overlap',
    commit: '7a39c732a22e',
    fixed: '2025 or 2026',
    here: relative(
      'Here the jump over a kprobe that is armed is not looked for; there a disarmed kprobe that is nearer was found in its place, and no body here has three instructions within a jump.',
      'kprobe-is-armed-in-the-middle-of-a-jump',
    ),
  },
  'kprobe-optimiser-hangs': {
    title: 'the optimiser of kprobes hangs',
    commit: '5bfa9f1a9dcb',
    fixed: '2025 or 2026',
    here: notModelled("the states of the optimiser's thread"),
  },
};
