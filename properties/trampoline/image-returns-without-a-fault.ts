import { ENDBR64 } from '../../model/x86/template.ts';

import type { FoundInImage, Law } from '../law/image-law.ts';
import type { Subject } from '../observed/subject.ts';

/** The findings of its runs come from where these stop (`stopped.ts`). */
export const imageReturnsWithoutAFault: Law = {
  name: 'trampoline/image-returns-without-a-fault',
  sentence:
    'A call through the image returns: it accesses only permitted memory, uses no undefined byte and does not loop forever. With IBT, an image that is called through a pointer starts with endbr64.',
  source: 'arch/x86/net/bpf_jit_comp.c  arch_prepare_bpf_trampoline',
  premise: () => true,
  witness: 'a call',
  inspect: faultsAtTheEntry,
};

/** A call through a pointer to anything but `endbr64` is a control-protection fault (#CP). */
function faultsAtTheEntry({ request, contract, bytes, base }: Subject): FoundInImage | undefined {
  if (!request.ibt || !contract.isMember) return undefined;
  const first = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  return first === ENDBR64.first ? undefined : { finding: { is: 'entry-is-no-target' }, at: base };
}
