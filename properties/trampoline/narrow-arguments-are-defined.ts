import { item } from '../../model/core/present.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { PROGRAM_ARGUMENTS } from '../../model/trampoline/stage/event.ts';
import { ARGUMENT } from '../../model/trampoline/stage/groups.ts';
import { CONSTANT, tagOf } from '../../model/x86/origin.ts';
import type { UpperByte } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import { ctxSlot, foundAt, tagOfByte, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Bytes of a stack word that a compiler may leave unwritten, and that ctx therefore has cleared. */
const CLEARED_FROM = 4;

export const narrowArgumentsAreDefined: Law = {
  name: 'trampoline/narrow-arguments-are-defined',
  sentence:
    'The bytes above a narrow argument in ctx hold what the caller left there, or zero; a single narrow argument on the stack is zero-extended.',
  source: 'arch/x86/net/bpf_jit_comp.c  clean_stack_garbage',
  premise: ({ contract }) => contract.slots.some(({ bytes }) => bytes < 8),
  witness: 'an argument narrower than its register or stack slot',
  on: {
    program: (memory, event, subject) => {
      const { slots } = subject.contract;
      const wrong: UpperByte[] = [];
      for (let i = 0; i < slots.length; i++) addWrongBytes(wrong, event, subject, i);
      const [first, ...others] = wrong;
      if (first === undefined) return memory;
      const program = toldProgram(subject, event.number);
      const finding = { is: 'upper-bytes-differ', program, bytes: [first, ...others] } as const;
      return foundAt(event, finding, ctxSlot(event, first.argument));
    },
  },
};

/** Notes the bytes above argument word `i` that are neither zero nor the caller's. */
function addWrongBytes(wrong: UpperByte[], event: StageEvent, subject: Subject, i: number): void {
  for (let byte = item(subject.contract.slots, i).bytes; byte < 8; byte++) {
    const tag = tagOfByte(event, PROGRAM_ARGUMENTS + i, byte);
    const zero = byte >= CLEARED_FROM && isCleared(subject, i);
    if (tag === CONSTANT || (!zero && tag === tagOf(ARGUMENT + i, byte))) continue;
    wrong.push({ argument: i, byte, expected: zero ? 'zero' : "the caller's", observed: tag });
  }
}

/** The word is the only one on the stack, and holds an argument of at most four bytes. */
function isCleared(subject: Subject, index: number): boolean {
  const { slots } = subject.contract;
  const slot = item(slots, index);
  const onStack = slots.filter(({ place }) => place.in === 'stack');
  return slot.place.in === 'stack' && onStack.length === 1 && slot.bytes <= 4;
}
