import { ATTRIBUTES, FDS_AND_IDS, NO_OVERRIDE } from './reasons.ts';
import type { Audit, AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  branches,
  defers,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  SINCE_6_12,
  UNTIL_6_12,
  V7_2,
  waits,
} from './row.ts';

/* Programs of perf events: attached, detached, run. */

export const BPF_CORE: Audit = {
  file: 'kernel/bpf/core.c',
  functions: [
    {
      fn: 'bpf_prog_array_copy',
      in: ALL,
      rows: [
        returns(ALL, 'EEXIST: the program is there', modelled('bpf_prog_array_copy: the program is there')),
        returns(
          ALL,
          'ENOENT: the program to be left out is not there',
          omitted(
            'an event that has a program has it in the array: perf_event_detach_bpf_prog() clears both',
          ),
        ),
        returns(ALL, '0, NULL: no program is left', modelled('bpf_prog_array_copy: programs are left')),
        allocates(ALL, 'the new array; ENOMEM', modelled('bpf_prog_array_copy: allocate the new array')),
      ],
    },
    {
      fn: '__bpf_prog_array_free_sleepable_cb',
      in: ALL,
      rows: [
        defers(
          ALL,
          'call_rcu_tasks_trace() in bpf_prog_array_free_sleepable(), whose callback frees the array',
          modelled('__bpf_prog_array_free_sleepable_cb: wait for rcu_tasks_trace'),
        ),
        defers(
          ALL,
          'kfree_rcu(), if a period of RCU tasks-trace were none of RCU',
          omitted('rcu_trace_implies_rcu_gp() answers true'),
        ),
      ],
    },
  ],
};

/** In kernel/trace/bpf_trace.c. */
export const PERF_PROGRAMS: readonly AuditedFunction[] = [
  {
    fn: 'perf_event_attach_bpf_prog',
    in: ALL,
    rows: [
      returns(ALL, 'EINVAL: kprobe_override where the probe does not allow it', omitted(NO_OVERRIDE)),
      locks(
        ALL,
        'bpf_event_mutex: event->prog and prog_array',
        modelled('perf_event_attach_bpf_prog: lock bpf_event_mutex'),
      ),
      gotos(
        ALL,
        'unlock, EEXIST: the event has a program',
        modelled('perf_event_attach_bpf_prog: the event has a program'),
      ),
      gotos(
        ALL,
        'unlock, E2BIG: 64 programs',
        modelled('perf_event_attach_bpf_prog: the event call has too many'),
      ),
      gotos(
        ALL,
        'unlock: an errno of bpf_prog_array_copy()',
        modelled('bpf_prog_array_copy: the program is there', 'bpf_prog_array_copy: allocate the new array'),
      ),
      defers(
        ALL,
        'bpf_prog_array_free_sleepable()',
        modelled('perf_event_attach_bpf_prog: bpf_prog_array_free_sleepable'),
      ),
    ],
  },
  {
    fn: 'perf_event_detach_bpf_prog',
    in: ALL,
    rows: [
      locks(ALL, 'bpf_event_mutex', modelled('perf_event_detach_bpf_prog: lock bpf_event_mutex')),
      gotos(ALL, 'unlock: no program', modelled('perf_event_detach_bpf_prog: it has a program')),
      gotos(
        ALL,
        'put: there is no array',
        omitted('an event that has a program is in an array, which is NULL only without programs'),
      ),
      branches(
        ALL,
        'bpf_prog_array_copy() failed: bpf_prog_array_delete_safe()',
        modelled('perf_event_detach_bpf_prog: there is no memory'),
      ),
      defers(
        ALL,
        'bpf_prog_array_free_sleepable()',
        modelled('perf_event_detach_bpf_prog: bpf_prog_array_free_sleepable'),
      ),
      waits(
        UNTIL_6_12,
        'synchronize_rcu_tasks_trace() before bpf_prog_put(), with the mutex held',
        modelled('perf_event_detach_bpf_prog: wait for rcu_tasks_trace'),
      ),
      waits(
        V7_2,
        'synchronize_rcu_tasks_trace() before bpf_prog_put()',
        modelled('perf_event_detach_bpf_prog: wait for rcu_tasks_trace (2)'),
      ),
    ],
  },
  {
    fn: 'trace_call_bpf',
    in: ALL,
    rows: [
      gotos(
        ALL,
        'out: a program runs on this CPU (bpf_prog_active)',
        modelled('trace_call_bpf: it runs them, or counts them'),
      ),
      locks(
        SINCE_6_12,
        'rcu_read_lock() around bpf_prog_inc_misses_counters()',
        modelled('trace_call_bpf: rcu_read_lock'),
      ),
      locks(ALL, 'rcu_read_lock() around bpf_prog_run_array()', modelled('trace_call_bpf: rcu_read_lock')),
    ],
  },
];

/** In kernel/bpf/syscall.c. */
export const PERF_LINKS: readonly AuditedFunction[] = [
  {
    fn: 'bpf_perf_link_attach',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EBADF of bpf_prog_get() in link_create(); otherwise it is held from here on',
        modelled('bpf_perf_link_attach: there is no such program'),
      ),
      returns(
        ALL,
        'EINVAL of bpf_prog_attach_check_attach_type(), or of the switch by the type of the program, in link_create()',
        modelled('bpf_perf_link_attach: it is no program for perf events'),
      ),
      returns(ALL, 'EINVAL: flags', omitted(ATTRIBUTES)),
      returns(ALL, 'EBADF: perf_event_get()', modelled('bpf_perf_link_attach: there is no such event')),
      allocates(
        ALL,
        'the link; out_put_file with ENOMEM',
        modelled('bpf_perf_link_attach: allocate the link', 'bpf_perf_link_attach: roll back (2)'),
      ),
      gotos(ALL, 'out_put_file: bpf_link_prime() failed', omitted(FDS_AND_IDS)),
      gotos(
        ALL,
        'out_put_file: perf_event_set_bpf_prog() failed, bpf_link_cleanup()',
        modelled('bpf_perf_link_attach: roll back (3)'),
      ),
      gotos(
        ALL,
        'none, in link_create(): the reference on the program is dropped',
        modelled('bpf_perf_link_attach: roll back'),
      ),
    ],
  },
  { fn: 'bpf_perf_link_release', in: ALL, rows: [] },
];
