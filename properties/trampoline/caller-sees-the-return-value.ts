import { programReturnValue } from '../../model/trampoline/stage/cells.ts';
import { PROGRAM_RETURN, RETURN, RETURN_HIGH } from '../../model/trampoline/stage/groups.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import { RAX, RDX } from '../../model/x86/register.ts';
import { equal } from '../../model/x86/word.ts';
import type { ToldProgram } from '../finding/image-finding.ts';
import type { EndOfPath, FoundInImage, Law } from '../law/image-law.ts';
import { replacesTheOriginal, toldProgram } from '../observed/seen.ts';

/** Memory: 0 nothing yet, 1 the original returned, 1 + n program n ended the call. */
export const callerSeesTheReturnValue: Law = {
  name: 'trampoline/caller-sees-the-return-value',
  sentence:
    'The caller gets the return value of the original, or of the program that replaced it, as that of a struct_ops member does.',
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline',
  premise: ({ contract }) => contract.signature.ret.size > 0,
  witness: 'a function that returns a value',
  on: {
    original: () => 1,
    program: (memory, event, subject) => (replacesTheOriginal(event, subject) ? 1 + event.number : memory),
  },
  conclude: (memory, end, subject) => {
    if (memory === 0 || subject.contract.signature.ret.size === 0) return undefined;
    if (memory > 1) return modified(end, memory - 1, toldProgram(subject, memory - 1));
    const low = returned(end, 'rax', RETURN);
    return low ?? (subject.contract.signature.ret.size > 8 ? returned(end, 'rdx', RETURN_HIGH) : undefined);
  },
};

const REGISTERS = { rax: RAX, rdx: RDX } as const;

function returned(end: EndOfPath, register: keyof typeof REGISTERS, group: number): FoundInImage | undefined {
  const observed = end.register(REGISTERS[register]);
  if (observed.tagLo === lowTags(group) && observed.tagHi === highTags(group)) return undefined;
  const expected = { is: 'of the original' } as const;
  return { finding: { is: 'returned-register-differs', register, expected, observed } };
}

function modified(end: EndOfPath, id: number, program: ToldProgram): FoundInImage | undefined {
  const observed = end.register(RAX);
  const { value, tagLo, tagHi } = observed;
  const whole = tagLo === lowTags(PROGRAM_RETURN) && tagHi === highTags(PROGRAM_RETURN);
  if (whole && equal(value, programReturnValue(id))) return undefined;
  const expected = { is: 'of a program', program } as const;
  return { finding: { is: 'returned-register-differs', register: 'rax', expected, observed } };
}
