import { FAMILY, FORM } from '../../model/x86/instruction.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import type { Subject } from '../observed/subject.ts';

export const callDepthIsAccounted: Law = {
  name: 'trampoline/call-depth-is-accounted',
  sentence:
    'Under call-depth tracking, the entry from a call site and every direct call are accounted, except calls of helpers that have their own thunk.',
  source: 'arch/x86/kernel/callthunks.c  x86_call_depth_emit_accounting',
  premise: ({ request }) => request.mitigations.callDepth,
  witness: 'call-depth tracking enabled',
  inspect: (subject) => (subject.request.mitigations.callDepth ? uncounted(subject) : undefined),
};

function uncounted(subject: Subject): FoundInImage | undefined {
  const { swept, addresses, request, flags } = subject;
  let counted = false;
  let first = flags.INDIRECT !== true;
  for (const { at: address, family, form, gs, target } of swept) {
    if (first && !gs) return { finding: { is: 'entry-is-not-counted' }, at: address };
    first = false;
    if (family === FAMILY.CALL && form === FORM.I && !counted) {
      const callee = addresses.nameOf(target) ?? 'a function';
      const exempt = request.profile.unaccounted.includes(callee);
      if (!exempt) return { finding: { is: 'call-is-not-counted', callee }, at: address };
    }
    counted = gs;
  }
  return undefined;
}
