import {
  SAVED_R12,
  SAVED_R13,
  SAVED_R14,
  SAVED_R15,
  SAVED_RBP,
  SAVED_RBX,
} from '../../model/trampoline/stage/groups.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import { R12, R13, R14, R15, RBP, RBX, registerName } from '../../model/x86/register.ts';
import type { Law } from '../law/image-law.ts';

const SAVED: readonly (readonly [number, number])[] = [
  [RBX, SAVED_RBX],
  [RBP, SAVED_RBP],
  [R12, SAVED_R12],
  [R13, SAVED_R13],
  [R14, SAVED_R14],
  [R15, SAVED_R15],
];

export const calleeSavedRegistersArePreserved: Law = {
  name: 'trampoline/callee-saved-registers-are-preserved',
  sentence: 'A call through the image preserves rbx, rbp and r12–r15.',
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline',
  premise: () => true,
  witness: 'a call that returns',
  conclude: (_memory, end) => {
    for (const [reg, group] of SAVED) {
      const observed = end.register(reg);
      if (observed.tagLo === lowTags(group) && observed.tagHi === highTags(group)) continue;
      return { finding: { is: 'saved-register-is-lost', register: registerName(reg), observed } };
    }
    return undefined;
  },
};
