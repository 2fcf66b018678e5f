import {
  BTF_OF_THE_KERNEL,
  DENY_LIST,
  EXTENSION_FITS,
  NO_OTHER_TYPES,
  TARGETS_FROM_BOOT,
} from './reasons.ts';
import type { Audit, AuditedFunction } from './row.ts';
import { ALL, modelled, omitted, returns, SINCE_6_12, V6_1, V7_2 } from './row.ts';
import { MULTI_TARGETS } from './verifier-multi.ts';

const LOAD = 'model/trampoline/load.ts refuseLoad';
const PROBE = 'model/trampoline/load.ts refuseProbe';
const TARGET = 'model/trampoline/load-target.ts';
const NO_FUNCTION = 'bpf_prog_load: there is no such function';
const NO_ADDRESS = 'bpf_prog_load: kallsyms does not have the function';

/** bpf_check_attach_target() for a BPF program as the target. */
const OF_A_PROGRAM: AuditedFunction['rows'] = [
  returns(SINCE_6_12, 'EINVAL: bound to another device', omitted(NO_OTHER_TYPES)),
  returns(ALL, 'EINVAL: the target has no such function', omitted(TARGETS_FROM_BOOT)),
  returns(SINCE_6_12, 'EINVAL: an exception callback', omitted(TARGETS_FROM_BOOT)),
  returns(ALL, 'EINVAL: an extension of a static function', omitted(EXTENSION_FITS)),
  returns(ALL, 'EINVAL: an extension that is not to be JITed', omitted(EXTENSION_FITS)),
  returns(
    SINCE_6_12,
    'EINVAL: an extension changes packet data, its target does not',
    omitted(EXTENSION_FITS),
  ),
  returns(V7_2, 'EINVAL: an extension may sleep, its target may not', omitted(EXTENSION_FITS)),
  returns(ALL, 'EINVAL: the target is not JITed', omitted(TARGETS_FROM_BOOT)),
  returns(
    SINCE_6_12,
    'EINVAL: the target traces a tracing program itself',
    omitted('docs/scope.md: programs that trace tracing programs are not modelled'),
  ),
  returns(
    ALL,
    'EINVAL: an extension of an extension (6.1: also a tracing program of a tracing program)',
    omitted('docs/scope.md: programs that trace an extension or a tracing program are not modelled'),
  ),
  returns(ALL, 'EINVAL: an extension of a tracing program', omitted(TARGETS_FROM_BOOT)),
  returns(
    ALL,
    'EINVAL: an extension of a kernel function',
    modelled(LOAD, 'bpf_prog_load: the verifier refuses the program for its target'),
  ),
];

/** The checks of a program for its target, in the order in which one errno hides another. */
export const VERIFIER: Audit = {
  file: 'kernel/bpf/verifier.c',
  functions: [
    {
      fn: 'check_attach_btf_id',
      in: ALL,
      rows: [
        returns(ALL, '0 or EINVAL: programs of the type syscall', omitted(NO_OTHER_TYPES)),
        returns(
          ALL,
          'EINVAL: a type that cannot be sleepable: raw tracepoints before 7.2',
          modelled(PROBE, 'bpf_prog_load: the verifier refuses the kprobe program'),
        ),
        returns(
          ALL,
          'the answer of check_struct_ops_btf_id()',
          modelled('model/trampoline/load.ts refuseMember'),
        ),
        returns(
          ALL,
          '0: a type without a target, as kprobe.multi and raw tracepoints have',
          modelled('bpf_prog_load: it is for kprobe.multi, or a tracepoint'),
        ),
        returns(
          ALL,
          'the errno of bpf_check_attach_target()',
          modelled('bpf_prog_load: the verifier refuses the program for its target'),
        ),
        returns(
          ALL,
          '0 for a typed raw tracepoint (tp_btf); 0 or EINVAL for an iterator',
          omitted(
            'docs/scope.md: iterators are not modelled; a raw tracepoint of the model is named when it is opened',
          ),
        ),
        returns(ALL, 'the errno of bpf_lsm_verify_prog()', modelled(`${TARGET} refuseListing`)),
        returns(ALL, 'EINVAL: btf_id_deny', omitted(DENY_LIST)),
        returns(
          SINCE_6_12,
          'EINVAL: noreturn_deny, for fexit and fmod_ret (7.2: and fsession); after the sleepable check',
          modelled(`${TARGET} refuseNoreturn`),
        ),
        returns(
          V7_2,
          '0: a program for multi links, which gets no trampoline here',
          modelled('model/trampoline/load.ts refuseMulti'),
        ),
        returns(
          ALL,
          'ENOMEM: no trampoline; the reference of dst_trampoline is dropped with the program if a later check fails',
          modelled('bpf_trampoline_get: allocate a trampoline'),
        ),
      ],
    },
    {
      fn: 'bpf_check_attach_target',
      in: ALL,
      rows: [
        returns(ALL, 'EINVAL: no id, no BTF, no type, or no name', modelled(NO_FUNCTION)),
        ...OF_A_PROGRAM,
        returns(
          ALL,
          'EINVAL: any of the checks of BPF_TRACE_RAW_TP',
          omitted(
            'a raw tracepoint of the model is named when it is opened, with BPF_PROG_TYPE_RAW_TRACEPOINT',
          ),
        ),
        returns(
          ALL,
          'any of the checks of BPF_TRACE_ITER',
          omitted('docs/scope.md: iterators are not modelled'),
        ),
        returns(ALL, 'EINVAL: an attach type that this kernel does not have', modelled(LOAD)),
        returns(V7_2, 'EOPNOTSUPP: the JIT has no fsession', omitted('that of x86-64 has')),
        returns(ALL, 'EINVAL: the type is no function', omitted(BTF_OF_THE_KERNEL)),
        returns(ALL, 'EINVAL: an extension of another type', omitted(EXTENSION_FITS)),
        returns(ALL, 'EINVAL: the function has no prototype', omitted(BTF_OF_THE_KERNEL)),
        returns(
          ALL,
          'EINVAL: another target at the link than a program of the type that it was loaded for',
          omitted('docs/scope.md, extensions: target_fd is not modelled'),
        ),
        returns(ALL, 'the errno of btf_distill_func_proto()', modelled(`${TARGET} refuseSignature`)),
        returns(SINCE_6_12, 'EOPNOTSUPP: a return value over 8 bytes', modelled(`${TARGET} refuseTarget`)),
        returns(
          V7_2,
          'ENOENT: the module of a multi link is going',
          modelled('bpf_prog_load: its module is going', 'bpf_prog_load: the module of its BTF is gone'),
        ),
        returns(
          V6_1,
          'ENOENT: no address has the name',
          modelled('bpf_tracing_prog_attach: its target was unloaded', NO_ADDRESS),
        ),
        returns(
          SINCE_6_12,
          'ENOENT: no address has the name, or its module is going',
          modelled(
            NO_ADDRESS,
            'bpf_prog_load: its module is going',
            'bpf_tracing_prog_attach: its target was unloaded',
          ),
        ),
        returns(ALL, 'EINVAL: not for sleepable programs', modelled(`${TARGET} refuseListing`)),
        returns(ALL, 'EINVAL: fmod_ret of a BPF program', modelled(LOAD)),
        returns(
          ALL,
          'EINVAL: fmod_ret of a function that is not modifiable',
          modelled(`${TARGET} refuseListing`),
        ),
      ],
    },
    {
      fn: 'check_return_code',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL: fentry, fexit and fsession return 0, a kprobe.multi session 0 or 1',
          modelled('model/trampoline/load.ts refuseReturn', PROBE),
        ),
        returns(
          ALL,
          'EINVAL: an LSM program answers what its hook may not (bpf_lsm_get_retval_range(), since 6.12)',
          modelled('model/trampoline/load.ts refuseLsmReturn'),
        ),
      ],
    },
    ...MULTI_TARGETS,
  ],
};
