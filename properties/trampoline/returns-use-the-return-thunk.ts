import { FAMILY } from '../../model/x86/instruction.ts';
import type { Law } from '../law/image-law.ts';

export const returnsUseTheReturnThunk: Law = {
  name: 'trampoline/returns-use-the-return-thunk',
  sentence:
    'With return mitigations the image returns by a jump to the return thunk, without them by ret and int3.',
  source: 'arch/x86/net/bpf_jit_comp.c  emit_return',
  premise: ({ request }) => request.mitigations.returnThunk !== undefined,
  witness: 'return thunks enabled',
  inspect: ({ swept, request, addresses }) => {
    const thunk = request.mitigations.returnThunk;
    for (const { at: address, family, target } of swept) {
      const jumps = family === FAMILY.JUMP && addresses.nameOf(target) === thunk;
      if (thunk !== undefined && jumps) return undefined;
      if (thunk !== undefined && family === FAMILY.RETURN)
        return { finding: { is: 'return-is-another', thunk, observed: 'a plain ret' }, at: address };
      if (thunk === undefined && family === FAMILY.RETURN) return undefined;
    }
    return { finding: { is: 'return-is-another', thunk: thunk ?? null, observed: 'none' } };
  },
};
