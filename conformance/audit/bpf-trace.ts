import { PERF_PROGRAMS } from './perf-programs.ts';
import { ATTRIBUTES, FDS_AND_IDS, NOTHING_CHANGED_YET, USER_MEMORY } from './reasons.ts';
import type { Audit, AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  SINCE_6_12,
  UNTIL_6_12,
  V6_1,
  V7_2,
} from './row.ts';

const KPROBE_MULTI = 'bpf_kprobe_multi_link_attach:';

/** Multi links of 7.2: the system call before bpf_trampoline_multi_attach(). */
const TRACING_MULTI: AuditedFunction = {
  fn: 'bpf_tracing_multi_attach',
  in: V7_2,
  rows: [
    returns(V7_2, 'EINVAL: no ids', modelled('link_create: no function is named')),
    returns(
      V7_2,
      'E2BIG: over MAX_TRACING_MULTI_CNT (1,048,576)',
      omitted('a trace does not name that number of functions'),
    ),
    returns(V7_2, 'EINVAL: flags, or target_fd', omitted(ATTRIBUTES)),
    allocates(V7_2, 'the ids; ENOMEM', omitted(NOTHING_CHANGED_YET)),
    gotos(V7_2, 'error, EFAULT: the ids or the cookies', omitted(USER_MEMORY)),
    allocates(V7_2, 'the cookies; error with ENOMEM', omitted(NOTHING_CHANGED_YET)),
    gotos(V7_2, 'error, EINVAL: an id is named twice', modelled('link_create: a function is named twice')),
    allocates(V7_2, 'the exit nodes of a session; error with ENOMEM', omitted(NOTHING_CHANGED_YET)),
    allocates(V7_2, 'the link; error with ENOMEM', omitted(NOTHING_CHANGED_YET)),
    gotos(V7_2, 'error: bpf_link_prime() failed', omitted(FDS_AND_IDS)),
    returns(
      V7_2,
      'the errno of bpf_trampoline_multi_attach(), after bpf_link_cleanup()',
      modelled('link_create: roll back (2)'),
    ),
  ],
};

/** Links of kprobe.multi, multi links, and programs on raw tracepoints. */
export const BPF_TRACE: Audit = {
  file: 'kernel/trace/bpf_trace.c',
  functions: [
    {
      fn: 'bpf_kprobe_multi_link_attach',
      in: ALL,
      rows: [
        returns(
          V6_1,
          'EOPNOTSUPP: a kernel without CONFIG_FPROBE; the function has nothing else there',
          modelled(`${KPROBE_MULTI} no fprobes in this kernel`),
        ),
        returns(SINCE_6_12, 'EOPNOTSUPP: 32 bits', omitted('the model is of x86-64')),
        returns(SINCE_6_12, 'EINVAL: flags', omitted(ATTRIBUTES)),
        returns(
          SINCE_6_12,
          'EINVAL: a program that was not loaded for it',
          modelled(`${KPROBE_MULTI} a program that was not loaded for it`),
        ),
        returns(SINCE_6_12, 'EINVAL: a sleepable program', modelled(`${KPROBE_MULTI} a sleepable program`)),
        returns(
          V7_2,
          'EINVAL: a program that writes to its context',
          omitted('docs/scope.md: what a program does inside is not modelled; it writes nothing'),
        ),
        returns(SINCE_6_12, 'EINVAL: both or neither of addresses and symbols', omitted(ATTRIBUTES)),
        returns(SINCE_6_12, 'EINVAL: no address', modelled(`${KPROBE_MULTI} no function is named`)),
        returns(
          SINCE_6_12,
          'E2BIG: over MAX_KPROBE_MULTI_CNT (1,048,576)',
          omitted('no trace names that number of functions'),
        ),
        allocates(SINCE_6_12, 'the addresses; ENOMEM', omitted(NOTHING_CHANGED_YET)),
        allocates(SINCE_6_12, 'the cookies; error with ENOMEM', omitted(NOTHING_CHANGED_YET)),
        gotos(SINCE_6_12, 'error, EFAULT: the addresses or the cookies', omitted(USER_MEMORY)),
        gotos(
          SINCE_6_12,
          'error, the errno of copy_user_syms(): ENOMEM, EFAULT, E2BIG',
          omitted(USER_MEMORY),
        ),
        gotos(
          SINCE_6_12,
          'error, ESRCH of ftrace_lookup_symbols()',
          modelled(`${KPROBE_MULTI} ftrace_lookup_symbols() does not find each of them`),
        ),
        gotos(
          SINCE_6_12,
          'error, EINVAL: bpf_override_return() in a program for a function that does not allow it',
          omitted('docs/scope.md: what a program does inside is not modelled; it calls no such helper'),
        ),
        allocates(SINCE_6_12, 'the link; error with ENOMEM', omitted(NOTHING_CHANGED_YET)),
        gotos(SINCE_6_12, 'error: bpf_link_prime() failed', omitted(FDS_AND_IDS)),
        returns(
          SINCE_6_12,
          'the errno of get_modules_for_addrs(), after bpf_link_cleanup()',
          modelled(`${KPROBE_MULTI} a module is going`),
        ),
        returns(
          SINCE_6_12,
          'the errno of register_fprobe_ips(); the modules are put, bpf_link_cleanup()',
          modelled(`${KPROBE_MULTI} roll back`),
        ),
      ],
    },
    {
      fn: 'get_modules_for_addrs',
      in: SINCE_6_12,
      rows: [
        locks(
          SINCE_6_12,
          'preempt_disable(), 7.2: RCU: the look-up of a module and its reference',
          omitted('the look-ups and the references are one step of the model'),
        ),
        returns(
          SINCE_6_12,
          'EINVAL: a module is going; those before it are put',
          modelled(`${KPROBE_MULTI} a module is going`),
        ),
        allocates(
          SINCE_6_12,
          'the list of modules in add_module(); ENOMEM, those before it are put',
          omitted(NOTHING_CHANGED_YET),
        ),
      ],
    },
    {
      fn: 'bpf_kprobe_multi_link_release',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'none: the errno of unregister_fprobe() (7.2: unregister_fprobe_async()) is not read',
          modelled('bpf_link_release: unregister_fprobe'),
        ),
      ],
    },
    {
      fn: 'kprobe_multi_link_prog_run',
      in: SINCE_6_12,
      rows: [
        gotos(
          SINCE_6_12,
          'out: a program for kprobes runs on this CPU (bpf_prog_active); a miss is counted, 6.12 answers 0 and 7.2 1',
          modelled('model/ftrace/run/kprobe-multi.ts runProgram'),
        ),
        locks(
          SINCE_6_12,
          'rcu_read_lock() around the program',
          omitted(
            'handlers of an fprobe run with preemption off, or in one step, in the model: no grace period passes',
          ),
        ),
      ],
    },
    {
      fn: '__bpf_trace_run',
      in: ALL,
      rows: [
        locks(UNTIL_6_12, 'rcu_read_lock() around the program', modelled('__bpf_trace_run: rcu_read_lock')),
        locks(
          V7_2,
          'rcu_read_lock_dont_migrate() around all; of RCU tasks-trace if it may sleep',
          modelled('__bpf_trace_run: rcu_read_lock, migrate_disable'),
        ),
        gotos(
          ALL,
          'out: the program is running on this CPU; a miss is counted',
          modelled('__bpf_trace_run: it does not run yet'),
        ),
      ],
    },
    {
      fn: 'bpf_probe_register',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL: the program reads after the last argument',
          modelled('bpf_raw_tp_link_attach: the program reads after the last argument'),
        ),
        returns(
          ALL,
          'EINVAL: the program writes after writable_size',
          omitted('docs/scope.md, tracepoints: the writable size of a raw tracepoint is not modelled'),
        ),
        returns(
          ALL,
          'the errno of tracepoint_probe_register_may_exist()',
          modelled('bpf_raw_tp_link_attach: roll back (2)'),
        ),
      ],
    },
    {
      fn: 'bpf_get_raw_tracepoint_module',
      in: ALL,
      rows: [
        locks(
          ALL,
          'bpf_module_mutex: the look-up in modules',
          omitted('docs/scope.md, tracepoints: modules that define a tracepoint are not modelled'),
        ),
        gotos(
          ALL,
          'out, NULL: the module is going',
          omitted('docs/scope.md: modules that define or use a tracepoint are not modelled'),
        ),
      ],
    },
    ...PERF_PROGRAMS,
    TRACING_MULTI,
  ],
};
