import type { Fixes } from './fix.ts';
import { notModelled, planted } from './fix.ts';

/** Bugs of tracepoints and of what is attached to them. */
export const TRACEPOINT_FIXES: Fixes = {
  'static-call-meets-the-data-of-another': {
    title: 'tracepoint: Fix static call function vs data state mismatch',
    fixed: '5.15',
    here: planted('second-last-probe-is-removed-without-a-wait', 'first-probe-is-added-without-a-wait'),
  },
  'raw-tracepoint-recursion': {
    title: 'bpf: Prevent bpf program recursion for raw tracepoint probes',
    fixed: '6.1',
    here: planted('recursion-is-not-detected'),
  },
  'raw-tracepoint-link-goes-early': {
    title: "bpf: put bpf_link's program when link is safe to be deallocated",
    fixed: '6.10',
    here: planted('raw-tracepoint-link-is-freed-at-once'),
  },
  'event-mutex-and-rcu-tasks-trace': {
    title: 'bpf: Fix deadlock between rcu_tasks_trace and event_mutex',
    fixed: '6.15',
    here: notModelled(
      'a program that loads another one, which takes event_mutex within a section of RCU-tasks-trace',
    ),
  },
  'regfunc-is-not-balanced': {
    title: 'tracepoint: balance regfunc() on func_add() failure',
    fixed: '2025 or 2026',
    here: notModelled('regfunc() and unregfunc() of a tracepoint'),
  },
  'probestub-breaks-cfi': {
    title: 'CFI violation in a probestub that is called by tprobes',
    commit: '0652a3da787',
    fixed: '2025 or 2026',
    here: notModelled('CONFIG_CFI_CLANG hashes'),
  },
};
