import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT, PROGRAM_ARGUMENTS, tagsOf, wordOf } from '../../model/trampoline/stage/event.ts';
import { ARGUMENT } from '../../model/trampoline/stage/groups.ts';
import { CALLER_FRAME } from '../../model/trampoline/stage/layout.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import { CONSTANT4, highTags, lowTags, tagAt } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, plus } from '../../model/x86/word.ts';
import type { ImageFinding, ToldProgram } from '../finding/image-finding.ts';
import type { FoundInImage } from '../law/image-law.ts';
import type { Subject } from './subject.ts';

/** Shared helpers for reading what the stubs saw. */

/** A finding at the call that an event came from, or at the instruction of a store or a return. */
export function foundAt(event: StageEvent, finding: ImageFinding, slot?: Word): FoundInImage {
  const own = event.kind === EVENT.STORE || event.kind === EVENT.LEAVE;
  const place = own ? { at: wordOf(event, 1) } : { returnsTo: wordOf(event, 1) };
  return { finding, ...place, ...(slot === undefined ? {} : { slot }) };
}

/** Address of `ctx[index]` of a PROGRAM event. */
export function ctxSlot(event: StageEvent, index: number): Word {
  return plus(wordOf(event, 2), 8 * index);
}

/** Whether word `index` of an event is, whole and in order, one origin's value. */
export function isWhole(event: StageEvent, index: number, group: number): boolean {
  const { lo, hi } = tagsOf(event, index);
  return lo === lowTags(group) && hi === highTags(group);
}

/** Whether the first `bytes` bytes of word `index` are those of argument word `slot`. */
export function isArgument(event: StageEvent, index: number, slot: number, bytes: number): boolean {
  const { lo, hi } = tagsOf(event, index);
  const group = ARGUMENT + slot;
  if (bytes >= 8) return lo === lowTags(group) && hi === highTags(group);
  if (bytes > 4) return lo === lowTags(group) && sameBytes(hi, highTags(group), bytes - 4);
  return sameBytes(lo, lowTags(group), bytes);
}

function sameBytes(a: number, b: number, bytes: number): boolean {
  return bytes >= 4 ? a === b : ((a ^ b) & ((1 << (8 * bytes)) - 1)) === 0;
}

/** Whether word `index` is this constant, written by an instruction and not left over. */
export function isConstant(event: StageEvent, index: number, word: Word): boolean {
  const { lo, hi } = tagsOf(event, index);
  return equal(wordOf(event, index), word) && lo === CONSTANT4 && hi === CONSTANT4;
}

/** The tag of one byte of word `index`. */
export function tagOfByte(event: StageEvent, index: number, byte: number): number {
  const { lo, hi } = tagsOf(event, index);
  return byte < 4 ? tagAt(lo, byte) : tagAt(hi, byte - 4);
}

/** Word `index` of an event, with its tags, as a finding keeps it. */
export function seenWord(event: StageEvent, index: number): TaggedWord {
  const { lo: tagLo, hi: tagHi } = tagsOf(event, index);
  return { value: wordOf(event, index), tagLo, tagHi };
}

/** Number of the program whose structure word `index` points to; 0 for none of the attached ones. */
export function programAt(event: StageEvent, index: number, subject: Subject): number {
  const word = wordOf(event, index);
  const { programs } = subject.request;
  for (const { id } of programs) {
    const address = subject.addresses.programStructs[id];
    if (address !== undefined && equal(address, word)) return id;
  }
  return 0;
}

export function programNumbered(subject: Subject, id: number): BpfProgram | undefined {
  return subject.request.programs.find((program) => program.id === id);
}

/** A program as a finding names it; null if no attached program has this number. */
export function toldProgram(subject: Subject, id: number): ToldProgram {
  const program = programNumbered(subject, id);
  return program === undefined ? null : { id, kind: program.kind };
}

/** Whether a program's return value stops the call: fmod_ret, and not zero. */
export function stopsTheCall(event: StageEvent, subject: Subject): boolean {
  const word = wordOf(event, 6);
  return (word.lo | word.hi) !== 0 && programNumbered(subject, event.number)?.kind === 'fmod_ret';
}

/** Whether the caller gets a program's return value: it stops the call, or is that of a struct_ops member. */
export function replacesTheOriginal(event: StageEvent, subject: Subject): boolean {
  return subject.contract.isMember || stopsTheCall(event, subject);
}

/** Index of the word in a PROGRAM event that holds the return value's place in ctx. */
export function returnSlot(subject: Subject): number {
  return PROGRAM_ARGUMENTS + subject.contract.slots.length;
}

/** The stack pointer before the image's first instruction. */
export function entryStackPointer(subject: Subject): Word {
  return plus(CALLER_FRAME, subject.entry.jmp ? -8 : -16);
}
