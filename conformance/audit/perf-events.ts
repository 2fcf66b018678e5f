import {
  ATTRIBUTES,
  DISASSEMBLED,
  FIRST_FAILURE,
  NO_OVERRIDE,
  NO_SAMPLES,
  ONE_EVENT,
  READ_IN_6_12,
} from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, gotos, locks, modelled, omitted, returns, V7_2, waits } from './row.ts';

/* Perf events on tracepoints: opened, freed, hit. */

const SET = 'perf_event_set_bpf_prog:';

export const EVENTS_CORE: Audit = {
  file: 'kernel/events/core.c',
  functions: [
    {
      fn: 'perf_event_open',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'an errno of the flags, the attributes, the permissions', omitted(ATTRIBUTES)),
        gotos(ALL, 'err_fd, err_group_fd, err_task: the group, the task', omitted(ONE_EVENT)),
        allocates(
          ALL,
          'the event in perf_event_alloc(); err_task with ENOMEM, or with the errno of perf_trace_init()',
          modelled('perf_event_open: allocate the event', 'perf_event_open (kprobe): allocate the event'),
        ),
        gotos(
          ALL,
          'err_alloc, err_cred, err_locked, err_context: the clock, the context',
          omitted(ONE_EVENT),
        ),
        locks(ALL, 'ctx->mutex, exec_update_lock, perf_event_mutex', omitted(ONE_EVENT)),
      ],
    },
    {
      fn: 'perf_release',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EBADF of close() itself', modelled('perf_release: there is no such event')),
        locks(ALL, 'ctx->mutex and child_mutex in perf_event_release_kernel()', omitted(ONE_EVENT)),
      ],
    },
    {
      fn: '_free_event',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'in put_event(): others have references; here those of the file, which each link holds',
          modelled('_free_event: others have references'),
        ),
        waits(ALL, 'irq_work_sync() of wake-ups', omitted(NO_SAMPLES)),
        locks(ALL, 'mmap_mutex: the ring buffer', omitted(NO_SAMPLES)),
        locks(
          ALL,
          'event_mutex in perf_trace_destroy(), which `event->destroy` calls',
          modelled('_free_event: lock event_mutex'),
        ),
      ],
    },
    {
      fn: '_perf_ioctl',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EBADF of ioctl() itself', modelled('_perf_ioctl: there is no such event')),
        returns(ALL, 'EBADF: bpf_prog_get()', modelled('_perf_ioctl: there is no such program')),
        returns(ALL, 'the errno, after bpf_prog_put()', modelled('_perf_ioctl: roll back')),
        locks(ALL, 'ctx->mutex in perf_ioctl()', omitted(ONE_EVENT)),
      ],
    },
    {
      fn: 'perf_event_set_bpf_prog',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(ALL, 'EINVAL: neither a probe nor a tracepoint', omitted(ONE_EVENT)),
        returns(
          ALL,
          'EINVAL: a program of another type',
          modelled(`${SET} it is no program for this kind of event`),
        ),
        returns(
          ALL,
          'EINVAL: the program may sleep, on a kprobe, in 7.2 on a tracepoint',
          modelled(`${SET} it may sleep, and the probe may not`),
        ),
        returns(ALL, 'EINVAL: kprobe_override on no kprobe', omitted(NO_OVERRIDE)),
        returns(ALL, 'EACCES: max_ctx_offset', modelled(`${SET} the program reads after the last field`)),
        locks(ALL, 'ctx->mutex, for a link', omitted(ONE_EVENT)),
      ],
    },
  ],
};

export const TRACE_EVENT_PERF: Audit = {
  file: 'kernel/trace/trace_event_perf.c',
  functions: [
    {
      fn: 'perf_trace_init',
      in: ALL,
      rows: [
        locks(ALL, 'event_mutex', modelled('perf_event_open: lock event_mutex')),
        returns(ALL, 'EINVAL: no event has the id', modelled('perf_event_open: no event has this id')),
        returns(ALL, 'an errno of perf_trace_event_perm()', omitted(ATTRIBUTES)),
      ],
    },
    {
      fn: 'perf_kprobe_init',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'EACCES, EOPNOTSUPP of perf_kprobe_event_init(); E2BIG of the name',
          omitted(ATTRIBUTES),
        ),
        locks(ALL, 'event_mutex', modelled('perf_event_open (kprobe): lock event_mutex')),
        branches(
          ALL,
          'the event could not be enabled: destroy_local_trace_kprobe()',
          modelled('perf_event_open (kprobe): roll back'),
        ),
      ],
    },
    {
      fn: 'perf_trace_event_reg',
      in: ALL,
      rows: [
        returns(ALL, '0: other events are open', modelled('perf_trace_event_reg: others are open')),
        allocates(
          ALL,
          'the list of events of each CPU; fail with ENOMEM',
          modelled('perf_trace_event_reg: allocate the lists of events'),
        ),
        allocates(ALL, 'the buffers of all events; fail with ENOMEM', omitted(FIRST_FAILURE)),
        gotos(
          ALL,
          'fail: the probe cannot be registered; perf_refcount is counted down',
          modelled('perf_trace_event_reg: roll back'),
        ),
      ],
    },
    {
      fn: 'perf_trace_event_unreg',
      in: ALL,
      rows: [
        returns(ALL, 'other events are open', modelled('perf_trace_event_unreg: others are open')),
        waits(
          ALL,
          'tracepoint_synchronize_unregister(): synchronize_srcu(), up to 6.12 synchronize_rcu() as well',
          modelled('perf_trace_event_unreg: wait for rcu'),
        ),
        waits(
          V7_2,
          'synchronize_rcu_tasks_trace() before it',
          modelled('perf_trace_event_unreg: wait for rcu_tasks_trace'),
        ),
      ],
    },
  ],
};

export const TRACE_PERF: Audit = {
  file: 'include/trace/perf.h',
  functions: [
    {
      fn: 'perf_trace_X',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(
          ALL,
          'there is no program, and no event on the CPU',
          modelled('perf_trace_X: there are programs'),
        ),
        returns(
          ALL,
          'perf_trace_buf_alloc(): a record of the same context is being written',
          modelled('perf_trace_X: it is the only record of its context'),
        ),
        branches(
          ALL,
          'in perf_trace_run_bpf_submit(): no program any more, or an event: perf_tp_event()',
          omitted(NO_SAMPLES),
        ),
        locks(V7_2, 'preempt_disable_notrace()', modelled('perf_trace_X: preempt_disable')),
      ],
    },
  ],
};
