import type { AuditedFunction } from './row.ts';
import { ALL, defers, locks, modelled, omitted, returns, SINCE_6_12, UNTIL_6_12, V6_1, V7_2 } from './row.ts';

/** close() of links and programs, kernel/bpf/syscall.c. */
export const CLOSING: readonly AuditedFunction[] = [
  {
    fn: 'bpf_link_release',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EBADF: close() of a descriptor that is not open',
        modelled('bpf_link_release: there is no such link'),
      ),
      defers(
        ALL,
        'none: bpf_link_put() hands bpf_link_free() to a work queue when it is called in atomic context (6.12: always), close() does it at once',
        omitted('close() drops the last reference of a link that a client has'),
      ),
    ],
  },
  {
    fn: 'bpf_link_put',
    in: ALL,
    rows: [
      returns(ALL, 'at once: others have references', modelled('bpf_link_put: others have references')),
      defers(
        SINCE_6_12,
        'schedule_work(): bpf_link_free() runs in a work item (6.1: in atomic context alone)',
        modelled('bpf_link_put: schedule_work'),
      ),
    ],
  },
  {
    fn: 'bpf_link_put_deferred',
    in: ALL,
    rows: [
      defers(SINCE_6_12, 'none: it is the work item', modelled('bpf_link_put_deferred: wait for workqueue')),
    ],
  },
  {
    fn: 'bpf_link_free',
    in: ALL,
    rows: [
      defers(
        UNTIL_6_12,
        'call_rcu_tasks_trace() for a sleepable program, then call_rcu() unless one implies the other',
        modelled('bpf_link_release: free it in the background', 'bpf_link_dealloc: wait for rcu_tasks_trace'),
      ),
      defers(
        V7_2,
        'call_rcu_tasks_trace() for a sleepable program, or a tracepoint whose probes may sleep',
        modelled('bpf_link_release: free it in the background', 'bpf_link_dealloc: wait for rcu_tasks_trace'),
      ),
      defers(
        V7_2,
        'call_tracepoint_unregister_atomic() for another raw tracepoint: tracepoint_srcu, which counts as RCU',
        modelled('bpf_link_dealloc: wait for rcu'),
      ),
      defers(
        ALL,
        'call_rcu() for a link that handlers read: kprobe.multi, tracing multi, raw tracepoints before 7.2',
        modelled('bpf_link_dealloc: wait for rcu'),
      ),
      returns(
        V6_1,
        'none: the program is put before that grace period',
        modelled('bpf_link_release: bpf_prog_put'),
      ),
    ],
  },
  {
    fn: 'bpf_link_defer_dealloc_mult_rcu_gp',
    in: UNTIL_6_12,
    rows: [
      defers(
        UNTIL_6_12,
        'call_rcu() unless rcu_trace_implies_rcu_gp()',
        omitted('rcu_trace_implies_rcu_gp() is true in both kernels'),
      ),
    ],
  },
  {
    fn: 'bpf_link_dealloc',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'none: the program is put, and the link freed, after the grace period of its kind',
        modelled('bpf_link_dealloc: bpf_prog_put'),
      ),
    ],
  },
  {
    fn: 'bpf_prog_release',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EBADF: close() of a descriptor that is not open',
        modelled('bpf_prog_release: there is no such program'),
      ),
    ],
  },
  {
    fn: 'bpf_prog_put',
    in: ALL,
    rows: [
      returns(ALL, 'at once: others have references', modelled('bpf_prog_put: others have references')),
      defers(
        ALL,
        'schedule_work() with interrupts off; bpf_prog_put_deferred() at once otherwise',
        omitted('no client of the model drops a reference with interrupts off'),
      ),
    ],
  },
  {
    fn: '__bpf_prog_put',
    in: ALL,
    rows: [
      defers(
        V7_2,
        'call_rcu_tasks() in __bpf_prog_put_noref(): it was linked to a trampoline once (tramp_linked)',
        modelled('bpf_prog_put: free it in the background', '__bpf_prog_put: wait for rcu_tasks'),
      ),
      defers(
        ALL,
        'call_rcu_tasks_trace() in __bpf_prog_put_noref(): it may sleep (7.2: or after that grace period)',
        modelled('bpf_prog_put: free it in the background', '__bpf_prog_put: wait for rcu_tasks_trace'),
      ),
      defers(
        ALL,
        'call_rcu() in __bpf_prog_put_noref(): it may not (7.2: or after that grace period)',
        modelled('bpf_prog_put: free it in the background', '__bpf_prog_put: wait for rcu'),
      ),
      locks(
        ALL,
        'cgroup_mutex in bpf_cgroup_atype_put(), in bpf_prog_free_deferred(): the slot of a shim',
        modelled('__bpf_prog_put: lock cgroup_mutex'),
      ),
      defers(
        ALL,
        'schedule_work() in bpf_prog_free(): the code and the trampoline are put by a work queue',
        omitted(
          'background work of the model may be delayed at each of its steps: the work queue adds no order',
        ),
      ),
    ],
  },
];
