import { FIRST_FAILURE, LOCAL_KPROBE, NO_SAMPLES, READ_IN_6_12 } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, gotos, modelled, omitted, returns } from './row.ts';

/* Kprobes and kretprobes of perf events. */

export const TRACE_KPROBE: Audit = {
  file: 'kernel/trace/trace_kprobe.c',
  functions: [
    {
      fn: 'create_local_trace_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'EADDRNOTAVAIL: several symbols have the name',
          omitted('names of the model are unique'),
        ),
        returns(
          ALL,
          'ENOENT: number_of_same_symbols(), validate_probe_symbol(): no symbol has it',
          modelled('create_local_trace_kprobe: no symbol has this name'),
        ),
        allocates(
          ALL,
          'alloc_trace_kprobe(); ENOMEM',
          modelled('create_local_trace_kprobe: allocate the trace_kprobe'),
        ),
        allocates(
          ALL,
          'the counter of each CPU, the symbol, the name; traceprobe_set_print_fmt()',
          omitted(FIRST_FAILURE),
        ),
        returns(
          ALL,
          'EPERM of security_locked_down(), EINVAL of one that is registered, in __register_trace_kprobe()',
          omitted(LOCAL_KPROBE),
        ),
        returns(
          ALL,
          'EINVAL: within_notrace_func()',
          modelled('create_local_trace_kprobe: ftrace does not know the function'),
        ),
        gotos(
          ALL,
          'error: free_trace_kprobe() after the errno of __register_trace_kprobe()',
          modelled('create_local_trace_kprobe: roll back'),
        ),
      ],
    },
    {
      fn: 'destroy_local_trace_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'no trace_kprobe, or a WARN of one that is enabled', omitted(LOCAL_KPROBE)),
        branches(
          ALL,
          'unregister_kretprobe() or unregister_kprobe()',
          modelled('destroy_local_trace_kprobe: it is for returns'),
        ),
      ],
    },
    {
      fn: 'enable_trace_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'ENODEV: no trace_probe; the errno of trace_probe_add_file()', omitted(LOCAL_KPROBE)),
        returns(ALL, '0: it is enabled', omitted(LOCAL_KPROBE)),
        branches(ALL, 'one that has gone is left out', modelled('enable_trace_kprobe: it is not gone')),
        branches(ALL, 'an errno: the flag is cleared', modelled('enable_trace_kprobe: roll back')),
      ],
    },
    {
      fn: 'disable_trace_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'ENODEV, ENOENT, or other files: of tracefs', omitted(LOCAL_KPROBE)),
        branches(
          ALL,
          'what disable_kprobe() answers is dropped',
          modelled('disable_trace_kprobe: disable_kprobe'),
        ),
      ],
    },
    {
      fn: 'kprobe_perf_func',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        branches(
          ALL,
          'kprobe_dispatcher(): TP_FLAG_PROFILE is not set; bpf_prog_array_valid(): there is no program',
          modelled('kprobe_perf_func: TP_FLAG_PROFILE is not set, or there is no program'),
        ),
        returns(
          ALL,
          '1: a program has changed the instruction pointer',
          omitted('no program of the model does'),
        ),
        returns(ALL, 'a program answered 0, or no event is on the CPU', omitted(NO_SAMPLES)),
      ],
    },
    {
      fn: 'kretprobe_perf_func',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        branches(
          ALL,
          'kretprobe_dispatcher(): TP_FLAG_PROFILE is not set; bpf_prog_array_valid(): there is no program',
          modelled('kretprobe_perf_func: TP_FLAG_PROFILE is not set, or there is no program'),
        ),
        returns(
          ALL,
          'kretprobe_dispatcher(): get_kretprobe() is NULL, unregistered after the handler was read',
          omitted('the handler is read and called in one step'),
        ),
        returns(ALL, 'a program answered 0, or no event is on the CPU', omitted(NO_SAMPLES)),
      ],
    },
  ],
};
