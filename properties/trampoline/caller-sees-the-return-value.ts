import { programReturnValue } from '../../model/trampoline/stage/cells.ts';
import { groupName, PROGRAM_RETURN, RETURN, RETURN_HIGH } from '../../model/trampoline/stage/groups.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import { RAX, RDX, registerName } from '../../model/x86/register.ts';
import { equal } from '../../model/x86/word.ts';
import type { EndOfPath, Finding, Law } from '../law/image-law.ts';
import { describeTags, programName, stopsTheCall } from '../observed/seen.ts';

/** Memory: 0 nothing yet, 1 the original returned, 1 + n program n ended the call. */
export const callerSeesTheReturnValue: Law = {
  name: 'trampoline/caller-sees-the-return-value',
  sentence: "The caller gets the original's return value, or that of the program which took its place.",
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline',
  premise: ({ contract }) => contract.signature.ret.size > 0,
  witness: 'the function returned a value',
  on: {
    original: () => 1,
    program: (memory, event, subject) => (stopsTheCall(event, subject) ? 1 + event.number : memory),
  },
  conclude: (memory, end, subject) => {
    if (memory === 0 || subject.contract.signature.ret.size === 0) return undefined;
    if (memory > 1) return modified(end, memory - 1, programName(subject, memory - 1));
    const low = returned(end, RAX, RETURN);
    return low ?? (subject.contract.signature.ret.size > 8 ? returned(end, RDX, RETURN_HIGH) : undefined);
  },
};

function returned(end: EndOfPath, reg: number, group: number): Finding | undefined {
  const { word, tagLo, tagHi } = end.register(reg);
  if (tagLo === lowTags(group) && tagHi === highTags(group)) return undefined;
  const name = registerName(reg);
  const observed = describeTags(word, { lo: tagLo, hi: tagHi });
  return { expected: `${name} is ${groupName(group)}`, observed: `${name} is ${observed}` };
}

function modified(end: EndOfPath, id: number, name: string): Finding | undefined {
  const { word, tagLo, tagHi } = end.register(RAX);
  const whole = tagLo === lowTags(PROGRAM_RETURN) && tagHi === highTags(PROGRAM_RETURN);
  if (whole && equal(word, programReturnValue(id))) return undefined;
  const observed = describeTags(word, { lo: tagLo, hi: tagHi });
  return { expected: `rax is what ${name} returned`, observed: `rax is ${observed}` };
}
