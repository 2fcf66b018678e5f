import { isDirectBranch } from '../../model/x86/sweep.ts';
import { toHex } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import type { Subject } from '../observed/subject.ts';

export const branchesHaveValidTargets: Law = {
  name: 'trampoline/branches-have-valid-targets',
  sentence:
    'Every direct branch targets a known function or the start of an instruction, and the image is no longer than its size pass computed.',
  source: 'arch/x86/net/bpf_jit_comp.c  emit_patch, arch_bpf_trampoline_size',
  premise: () => true,
  witness: 'an image with a branch',
  inspect: (subject) => wrongTarget(subject) ?? tooLong(subject),
};

function wrongTarget({ bytes, base, swept, addresses }: Subject): FoundInImage | undefined {
  const starts = new Set(swept.map(({ offset }) => offset));
  for (const { at: address, target } of swept.filter(isDirectBranch)) {
    const offset = target.hi === base.hi ? (target.lo - base.lo) | 0 : -1;
    const inside = offset >= 0 && offset < bytes.length;
    if (inside ? starts.has(offset) : addresses.nameOf(target) !== undefined) continue;
    const observed = inside ? offset : toHex(target);
    return { finding: { is: 'branch-leads-astray', observed }, at: address };
  }
  return undefined;
}

/** A size pass that computes less than the real pass writes requests too little memory. */
function tooLong({ generation, bytes }: Subject): FoundInImage | undefined {
  const asked = generation?.asked();
  if (asked === undefined || asked >= bytes.length) return undefined;
  return { finding: { is: 'image-is-longer-than-asked', expected: asked, observed: bytes.length } };
}
