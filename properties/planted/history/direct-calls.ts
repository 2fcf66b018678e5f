import type { Fixes } from './fix.ts';
import { notModelled, planted } from './fix.ts';

/** Bugs of direct calls, and of the ops that make them. */
export const DIRECT_CALL_FIXES: Fixes = {
  'fexit-with-a-live-patch': {
    title: 'ftrace: Fix BPF fexit with livepatch',
    fixed: '6.18',
    here: planted('no-rollback-of-a-direct-call', 'direct-entry-is-leaked'),
  },
  'modify-bypasses-a-live-patch': {
    title: 'ftrace: bpf: Fix IPMODIFY + DIRECT in modify_ftrace_direct()',
    fixed: '6.18',
    here: planted('live-patch-is-bypassed', 'modify-does-not-ask-for-ipmodify'),
  },
  'direct-functions-changes-in-use': {
    title: 'ftrace: Fix modification of direct_function hash while in use',
    fixed: '6.7',
    here: planted('table-is-emptied-first'),
  },
  'direct-functions-has-too-few-buckets': {
    title: 'ftrace: fix incorrect hash size in register_ftrace_direct()',
    fixed: '6.15',
    here: notModelled('the hash chains of direct_functions'),
  },
  'direct-add-without-ftrace-lock': {
    title: 'ftrace: Add missing ftrace_lock to update_ftrace_direct_add/del',
    commit: '3ebc98c1',
    fixed: '7.0',
    here: planted('direct-calls-without-ftrace-lock'),
  },
  'direct-del-leaks-the-old-table': {
    title: 'update_ftrace_direct_del() does not free the direct_functions that it replaces',
    fixed: '7.0',
    here: planted('table-of-a-removed-direct-call-leaks'),
  },
  'direct-mod-repatches-all-sites': {
    title: 'ftrace: Use hash argument for tmp_ops in update_ftrace_direct_mod',
    commit: '50b35c9e',
    fixed: '7.0',
    here: planted('modify-detours-all-sites'),
  },
  'direct-functions-is-freed-in-a-lookup': {
    title: 'ftrace: Protect direct_functions in ftrace_find_rec_direct',
    fixed: '6.12.105',
    here: planted('lookup-without-a-section', 'old-direct-functions-are-freed-at-once'),
  },
  'ops-is-initialised-by-two': {
    title: 'ftrace: Synchronize the initialization of ftrace_ops',
    fixed: '6.12.110',
    here: planted('ops-is-initialised-twice'),
  },
  'ops-is-freed-after-ftrace-bug': {
    title: 'ftrace: Fix use-after-free for dynamic ftrace_ops',
    fixed: '6.1',
    here: planted('ops-that-ftrace-dies-over-stays-on-the-list'),
  },
  'refused-direct-call-keeps-its-entries': {
    title: 'ftrace: Clean up hash direct_functions on register failures',
    fixed: '5.19',
    here: planted('entries-of-a-refused-multi-are-leaked'),
  },
  'direct-addr-is-not-restored': {
    title: "ftrace: Fix issue that 'direct->addr' not restored in modify_ftrace_direct()",
    fixed: '6.3',
    here: planted('descriptor-is-not-restored'),
  },
  'descriptor-keeps-the-old-address': {
    title: 'ftrace: Fix modify_ftrace_direct.',
    fixed: '5.12',
    here: planted('descriptor-keeps-the-old-address'),
  },
  'direct-entry-is-never-freed': {
    title: 'ftrace: Fix memory leak caused by not freeing entry in unregister_ftrace_direct()',
    fixed: '5.7',
    here: planted('removed-direct-entry-is-never-freed'),
  },
  'modify-locks-direct-mutex-twice': {
    title: 'ftrace: Fix recursive locking direct_mutex in ftrace_modify_direct_caller',
    fixed: '6.0.3',
    here: planted('modify-takes-direct-mutex-again', 'peer-takes-direct-mutex-again'),
  },
  'function-graph-on-a-skipped-frame': {
    title: 'ftrace: Fix function_graph tracer interaction with BPF trampoline',
    fixed: '5.7',
    here: notModelled('function graph that hooks a call beyond the frame of a direct trampoline'),
  },
  'dispatcher-pokes-a-site-of-ftrace': {
    title: 'bpf: Convert BPF_DISPATCHER to use static_call() (not ftrace)',
    fixed: '6.1',
    here: planted('dispatcher-pokes-a-site-of-ftrace'),
  },
  'half-is-written-under-a-cpu': {
    title: 'bpf: Synchronize dispatcher update with bpf_dispatcher_xdp_func',
    fixed: '6.2',
    here: planted('half-is-written-under-a-cpu'),
  },
};
