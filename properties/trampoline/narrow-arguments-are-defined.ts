import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { PROGRAM_ARGUMENTS } from '../../model/trampoline/stage/event.ts';
import { ARGUMENT, tagName } from '../../model/trampoline/stage/groups.ts';
import { CONSTANT, tagOf, UNDEFINED } from '../../model/x86/origin.ts';
import type { Finding, Law } from '../law/image-law.ts';
import { ctxSlot, finding, programName, tagOfByte } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Bytes of a stack word that a compiler may leave unwritten, and that ctx therefore has cleared. */
const CLEARED_FROM = 4;

export const narrowArgumentsAreDefined: Law = {
  name: 'trampoline/narrow-arguments-are-defined',
  sentence:
    'Above a narrow argument ctx holds what the caller left there, or zero; a single one on the stack is zero-extended.',
  source: 'arch/x86/net/bpf_jit_comp.c  clean_stack_garbage',
  premise: ({ contract }) => contract.slots.some(({ bytes }) => bytes < 8),
  witness: 'an argument was narrower than its word',
  on: {
    program: (memory, event, subject) => {
      const { slots } = subject.contract;
      for (let i = 0; i < slots.length; i++) {
        const wrong = wrongByte(event, subject, i, slots[i]!.bytes);
        if (wrong !== undefined) return wrong;
      }
      return memory;
    },
  },
};

/** The first byte above an argument of `bytes` bytes that is neither zero nor the caller's. */
function wrongByte(event: StageEvent, subject: Subject, i: number, bytes: number): Finding | undefined {
  for (let byte = bytes; byte < 8; byte++) {
    const tag = tagOfByte(event, PROGRAM_ARGUMENTS + i, byte);
    const zero = byte >= CLEARED_FROM && isCleared(subject, i);
    if (tag === CONSTANT || (!zero && tag === tagOf(ARGUMENT + i, byte))) continue;
    const wanted = zero ? 'zero' : 'what the caller left there';
    const expected = `byte ${byte} of ctx[${i}] in ${programName(subject, event.number)} is ${wanted}`;
    const observed = tag === UNDEFINED ? 'it was never written' : `it is ${tagName(tag)}`;
    return finding(event, expected, observed, ctxSlot(event, i));
  }
  return undefined;
}

/** The word is the only one on the stack, and holds an argument of at most four bytes. */
function isCleared(subject: Subject, index: number): boolean {
  const { slots } = subject.contract;
  const slot = slots[index]!;
  const onStack = slots.filter(({ place }) => place.in === 'stack');
  return slot.place.in === 'stack' && onStack.length === 1 && slot.bytes <= 4;
}
