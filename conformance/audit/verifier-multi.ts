import { BTF_OF_THE_KERNEL, DENY_LIST } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { modelled, omitted, returns, V7_2 } from './row.ts';

const MULTI_TARGET = 'model/trampoline/designs/targets.ts refuseMultiTarget';
const LOAD_TARGET = 'model/trampoline/load-target.ts';

/** The targets of a multi link, kernel/bpf/verifier.c. */
export const MULTI_TARGETS: readonly AuditedFunction[] = [
  {
    fn: 'bpf_check_attach_btf_id_multi',
    in: V7_2,
    rows: [
      returns(V7_2, 'EINVAL: no id, or no BTF', omitted(BTF_OF_THE_KERNEL)),
      returns(V7_2, 'EINVAL: noreturn_deny', modelled(MULTI_TARGET, `${LOAD_TARGET} refuseNoreturn`)),
      returns(V7_2, 'EINVAL: btf_id_deny', omitted(DENY_LIST)),
      returns(V7_2, 'EINVAL: the id has no type', modelled(MULTI_TARGET)),
      returns(V7_2, 'EINVAL: the type has no name', omitted(BTF_OF_THE_KERNEL)),
      returns(V7_2, 'EINVAL: the type is no function', omitted(BTF_OF_THE_KERNEL)),
      returns(V7_2, 'the errno of btf_distill_func_proto()', modelled(`${LOAD_TARGET} refuseSignature`)),
      returns(V7_2, 'EOPNOTSUPP: a return value over 8 bytes', modelled(`${LOAD_TARGET} refuseTarget`)),
      returns(
        V7_2,
        'EINVAL with a WARN: a module that the program does not hold',
        modelled('bpf_prog_load: remember tgt_mod'),
      ),
      returns(V7_2, 'ENOENT: no address, or ftrace does not know it', modelled(MULTI_TARGET)),
      returns(V7_2, 'EINVAL: not for sleepable programs', modelled(`${LOAD_TARGET} refuseListing`)),
    ],
  },
];
