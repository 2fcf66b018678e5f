import type { Fixes } from './fix.ts';
import { notModelled, planted, relative } from './fix.ts';

/** Bugs of records, of text, and of function graph. */
export const FTRACE_FIXES: Fixes = {
  'tramp-flag-of-a-leaving-ops': {
    title: 'ftrace: Fix updating FTRACE_FL_TRAMP',
    fixed: '5.10',
    here: planted('ops-that-leaves-has-the-trampoline'),
  },
  'slow-path-for-the-last-ops': {
    title: 'ftrace: Enable trampoline when rec count returns back to one',
    fixed: '5.3',
    here: planted('slow-path-is-kept'),
  },
  'module-records-lack-regs': {
    title: 'ftrace: Setup correct FTRACE_FL_REGS flags for module',
    fixed: '5.8',
    here: planted('new-module-records-lack-regs'),
  },
  'disabled-records-stay-enabled': {
    title: 'ftrace: Still disable enabled records marked as disabled',
    fixed: '6.0.3',
    here: notModelled('weak functions, and records that are marked DISABLED'),
  },
  'subops-counts-are-wrong': {
    title: 'ftrace: Fix accounting of adding subops to a manager ops',
    fixed: '6.14',
    here: planted('manager-starts-with-an-empty-filter'),
  },
  'manager-has-duplicates': {
    title: 'ftrace: Do not add duplicate entries in subops manager ops',
    fixed: '6.14',
    here: planted('manager-has-a-function-twice'),
  },
  'notrace-of-subops-is-lost': {
    title: 'ftrace: Properly merge notrace hashes',
    fixed: '6.12.24',
    here: planted('notrace-is-merged-from-the-filters'),
  },
  'location-of-a-freed-module': {
    title: 'ftrace: Fix possible use-after-free in ftrace_location()',
    fixed: '6.10',
    here: notModelled('a lookup of records in the middle of the unloading of a module'),
  },
  'text-poke-array-is-not-sorted': {
    title: 'x86/alternatives: Fix int3 handling failure from broken text_poke array',
    fixed: '6.16',
    here: planted('batch-is-not-sorted'),
  },
  'text-poke-batch-goes-too-early': {
    title: 'x86/alternatives: Sync bp_patching update for avoiding NULL pointer exception',
    fixed: '5.5',
    here: planted('batch-goes-while-a-handler-searches'),
  },
  'rude-rcu-skips-a-cpu': {
    title: 'rcu-tasks: Make rude RCU-Tasks work well with CPU hotplug',
    fixed: '6.1.16',
    here: relative(
      'No CPU is waited for; in the kernel one was, that was going offline: there is no CPU hotplug here.',
      'only-tasks',
    ),
  },
  'rcu-function-is-traced': {
    title: 'rcu,ftrace: Fix ftrace recursion',
    fixed: '5.10.4',
    here: notModelled('traced functions of RCU'),
  },
  'interrupt-sees-the-bit-of-a-task': {
    title: 'ftrace: Handle tracing when switching between context',
    fixed: '5.10',
    here: planted('no-bit-of-transition'),
  },
  'ops-trampoline-keeps-displacements': {
    title: 'ftrace: Relocate %rip-relative percpu refs in dynamic trampolines',
    fixed: '6.12.93',
    here: notModelled('accounting of call depth in the trampoline of an ops'),
  },
  'direct-mode-is-never-restored': {
    title: 'function_graph: Restore direct mode when callbacks drop to one',
    commit: '53b2fae90ff0',
    fixed: '7.0',
    here: planted('direct-mode-is-not-restored'),
  },
  'graph-user-is-read-twice': {
    title: 'fgraph: Add READ_ONCE() when accessing fgraph_array[]',
    fixed: '6.12.9',
    here: planted('slot-of-a-user-is-read-twice'),
  },
  'refused-graph-user-keeps-its-notifier': {
    title: 'trace/fgraph: Fix the warning caused by missing unregister notifier',
    fixed: '6.12.45',
    here: planted('notifier-of-a-refused-graph-user-stays'),
  },
  'graph-arguments-change-under-the-printer': {
    title: 'fgraph: Copy args in intermediate storage with entry',
    commit: 'e3d01979e4bf',
    fixed: '2025 or 2026',
    here: notModelled('the ring buffer, and the entries that function graph prints'),
  },
  'filter-file-is-read-without-a-copy': {
    title: 'ftrace: Also allocate and copy hash for reading of filter files',
    commit: 'bfb336cf97df',
    fixed: '2025 or 2026',
    here: notModelled('reading of set_ftrace_filter'),
  },
};
