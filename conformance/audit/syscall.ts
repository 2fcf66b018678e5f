import { PERF_LINKS } from './perf-programs.ts';
import { ATTRIBUTES, FDS_AND_IDS, NO_OTHER_TYPES, NO_TOKENS, USER_MEMORY } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, defers, gotos, modelled, omitted, returns, SINCE_6_12, V6_1, V7_2 } from './row.ts';
import { TRACING_LINKS } from './syscall-attach.ts';
import { CLOSING } from './syscall-close.ts';

const REFUSED = 'bpf_prog_load: the verifier refuses the program for its target';

/** bpf(BPF_PROG_LOAD), bpf(BPF_LINK_CREATE), bpf(BPF_RAW_TRACEPOINT_OPEN), and close(). */
export const SYSCALL: Audit = {
  file: 'kernel/bpf/syscall.c',
  functions: [
    {
      fn: 'bpf_prog_load',
      in: ALL,
      rows: [
        returns(ALL, 'EINVAL: CHECK_ATTR, or an unknown flag', omitted(ATTRIBUTES)),
        returns(SINCE_6_12, 'the errno of bpf_token_get_from_fd()', omitted(NO_TOKENS)),
        gotos(SINCE_6_12, 'put_token, EPERM: a capability is missing (6.1: returns)', omitted(NO_TOKENS)),
        returns(V6_1, 'EPERM: a capability is missing', omitted(NO_TOKENS)),
        returns(
          ALL,
          'E2BIG: no instruction, or too many',
          omitted('docs/scope.md: what a program does inside is not modelled; it has a few instructions'),
        ),
        returns(
          ALL,
          'EINVAL, ENOTSUPP, or another errno: attach_prog_fd is no program and no BTF of the kernel',
          omitted(
            'docs/scope.md, BPF programs as targets: they exist from boot, and are named by themselves',
          ),
        ),
        returns(
          ALL,
          'EINVAL of bpf_prog_load_check_attach(): an attach type that the kernel does not have for the type',
          modelled('model/trampoline/load.ts refuseLoad', REFUSED),
        ),
        allocates(
          ALL,
          'the program; ENOMEM in 6.1, EINVAL in 6.12 and 7.2',
          omitted(
            'docs/scope.md: loading takes the trampoline alone from memory; a program that is not loaded leaves nothing',
          ),
        ),
        gotos(ALL, 'free_prog, EFAULT: the instructions or the license', omitted(USER_MEMORY)),
        gotos(ALL, 'free_prog, the errno of a device that it is bound to', omitted(NO_OTHER_TYPES)),
        gotos(
          ALL,
          'free_prog: no such type, or a name with a character that is not allowed',
          omitted(ATTRIBUTES),
        ),
        gotos(
          ALL,
          'free_prog_sec, the errno of security_bpf_prog_load()',
          omitted('the recorded kernels boot without a security module that refuses programs'),
        ),
        gotos(
          ALL,
          'free_used_maps, the errno of the verifier: references on trampoline and module are dropped',
          modelled(
            REFUSED,
            'bpf_prog_load: the verifier refuses the kprobe program',
            'bpf_prog_load: there is no such function',
            'bpf_prog_load: kallsyms does not have the function',
            'bpf_prog_load: its module is going',
            'bpf_prog_load: its target is on a list, or on none',
            'bpf_prog_load: the verifier refuses what the program does',
            'bpf_prog_load: roll back',
            'bpf_prog_load: roll back (2)',
          ),
        ),
        gotos(
          ALL,
          'free_used_maps, the errno of bpf_prog_select_runtime() or bpf_prog_alloc_id()',
          omitted(FDS_AND_IDS),
        ),
        defers(
          ALL,
          'free_used_maps: a grace period for a program with subprograms, whose symbols are exposed; at once for another',
          omitted('a program of the model is one function, freed at once'),
        ),
        returns(
          ALL,
          'no error: a type without a target skips the trampoline',
          modelled('bpf_prog_load: it is for kprobe.multi, or a tracepoint'),
        ),
        returns(
          ALL,
          'none in these kernels: EBUSY or ENOMEM of a design that keeps its functions for itself',
          modelled('bpf_prog_load: multi links have its target'),
        ),
        returns(ALL, 'the errno of bpf_prog_new_fd(), after bpf_prog_put()', omitted(FDS_AND_IDS)),
      ],
    },
    {
      fn: 'link_create',
      in: ALL,
      rows: [
        returns(ALL, 'EINVAL: CHECK_ATTR', omitted(ATTRIBUTES)),
        returns(SINCE_6_12, 'the answer of bpf_struct_ops_link_create()', omitted(NO_OTHER_TYPES)),
        returns(
          ALL,
          'EBADF of bpf_prog_get(): no open program has the descriptor; otherwise it is held from here on',
          modelled('link_create: there is no such program'),
        ),
        gotos(
          ALL,
          'out, EINVAL of bpf_prog_attach_check_attach_type(), or of the switch by the type of the program',
          modelled('link_create: there is no such attach type'),
        ),
        gotos(
          ALL,
          'out, EINVAL: another attach type than the one that a tracing program was loaded for',
          omitted('a trace names the program alone: its attach type is that of its load'),
        ),
        gotos(
          ALL,
          'out_put_prog, EINVAL: BPF_RAW_TRACEPOINT_OPEN of a program of BPF LSM that is not BPF_LSM_MAC, in bpf_tracing_prog_attach()',
          modelled('link_create: BPF_RAW_TRACEPOINT_OPEN names no cgroup'),
        ),
        gotos(
          ALL,
          'out: the attach failed, and the reference on the program is dropped',
          modelled('link_create: roll back'),
        ),
      ],
    },
    ...PERF_LINKS,
    {
      fn: 'bpf_raw_tp_link_attach',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EBADF of bpf_prog_get() in bpf_raw_tracepoint_open(); otherwise it is held from here on',
          modelled('bpf_raw_tp_link_attach: there is no such program'),
        ),
        returns(
          ALL,
          'EINVAL: a name for a tracing program, whose target is that of its load',
          modelled('bpf_raw_tp_link_attach: it is no program for raw tracepoints'),
        ),
        returns(
          ALL,
          'the answer of bpf_tracing_prog_attach() for a tracing program without a name',
          modelled('link_create: roll back'),
        ),
        returns(ALL, 'EFAULT: the name', modelled('link_create: the name of a tracepoint is NULL')),
        returns(
          ALL,
          'EINVAL: another type of program',
          modelled(
            'bpf_raw_tp_link_attach: it is no program for raw tracepoints',
            'link_create: BPF_RAW_TRACEPOINT_OPEN takes no kprobe program',
          ),
        ),
        returns(
          ALL,
          'ENOENT: no tracepoint has the name',
          modelled('bpf_raw_tp_link_attach: there is no such tracepoint'),
        ),
        returns(
          V7_2,
          'EINVAL: the program may sleep, and the probes of the tracepoint may not',
          modelled('bpf_raw_tp_link_attach: it may sleep, and the probes of the tracepoint may not'),
        ),
        allocates(
          ALL,
          'the link; out_put_btp with ENOMEM',
          modelled('bpf_raw_tp_link_attach: allocate the link'),
        ),
        gotos(ALL, 'out_put_btp: bpf_link_prime() failed', omitted(FDS_AND_IDS)),
        gotos(
          ALL,
          'out_put_btp: bpf_probe_register() failed, bpf_link_cleanup()',
          modelled('bpf_raw_tp_link_attach: roll back (2)'),
        ),
        gotos(
          ALL,
          'none, in bpf_raw_tracepoint_open(): the reference on the program is dropped',
          modelled('bpf_raw_tp_link_attach: roll back'),
        ),
      ],
    },
    {
      fn: 'bpf_raw_tp_link_release',
      in: ALL,
      rows: [
        returns(
          ALL,
          'none: the errno of bpf_probe_unregister() is not read',
          modelled('bpf_raw_tp_link_release: tracepoint_probe_unregister'),
        ),
      ],
    },
    ...TRACING_LINKS,
    ...CLOSING,
  ],
};
