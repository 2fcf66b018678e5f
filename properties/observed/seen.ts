import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT, PROGRAM_ARGUMENTS, tagsOf, wordOf } from '../../model/trampoline/stage/event.ts';
import { ARGUMENT, groupName, tagName } from '../../model/trampoline/stage/groups.ts';
import { CALLER_FRAME } from '../../model/trampoline/stage/layout.ts';
import { CONSTANT4, highTags, lowTags, tagAt, wholeGroup } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, plus, toHex } from '../../model/x86/word.ts';
import type { Finding } from '../law/image-law.ts';
import type { Subject } from './subject.ts';

/** Shared ways of looking at what the stubs saw. */

/** A finding at the call that an event came from, or at the instruction of a store or a return. */
export function finding(event: StageEvent, expected: string, observed: string, slot?: Word): Finding {
  const own = event.kind === EVENT.STORE || event.kind === EVENT.LEAVE;
  const place = own ? { at: wordOf(event, 1) } : { returnsTo: wordOf(event, 1) };
  return { expected, observed, ...place, ...(slot === undefined ? {} : { slot }) };
}

/** Address of `ctx[index]` of a PROGRAM event. */
export function ctxSlot(event: StageEvent, index: number): Word {
  return plus(wordOf(event, 2), 8 * index);
}

/** Whether word `index` of an event is, whole and in order, the value of one origin. */
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

/** Whether word `index` is this constant, written by somebody and not left over. */
export function isConstant(event: StageEvent, index: number, word: Word): boolean {
  const { lo, hi } = tagsOf(event, index);
  return equal(wordOf(event, index), word) && lo === CONSTANT4 && hi === CONSTANT4;
}

/** The tag of one byte of word `index`. */
export function tagOfByte(event: StageEvent, index: number, byte: number): number {
  const { lo, hi } = tagsOf(event, index);
  return byte < 4 ? tagAt(lo, byte) : tagAt(hi, byte - 4);
}

/** What word `index` is, in words: `argument word 3`, `0x5 (a constant)`, `bytes 0–3 argument word 7, …`. */
export function describe(event: StageEvent, index: number): string {
  return describeTags(wordOf(event, index), tagsOf(event, index));
}

export function describeTags(word: Word, { lo, hi }: { lo: number; hi: number }): string {
  const whole = wholeGroup(lo, hi);
  if (whole > 0) return groupName(whole);
  const names = Array.from({ length: 8 }, (_, byte) =>
    tagName(byte < 4 ? tagAt(lo, byte) : tagAt(hi, byte - 4)),
  );
  if (names.every((name) => name === names[0])) return `${toHex(word)} (${names[0]})`;
  const runs: string[] = [];
  for (let from = 0; from < 8; ) {
    let to = from;
    while (names[to + 1] === names[from]) to++;
    runs.push(`${from === to ? `byte ${from}` : `bytes ${from}–${to}`} ${names[from]}`);
    from = to + 1;
  }
  return runs.join(', ');
}

/** Number of the program whose structure word `index` points to, 0 for none of the attached ones. */
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

/** `prog#2 (fexit)`, or what the word is when it points to no program. */
export function programName(subject: Subject, id: number): string {
  const program = programNumbered(subject, id);
  return program === undefined ? 'no attached program' : `prog#${id} (${program.kind})`;
}

/** Whether a program's return value ends the entry part: fmod_ret, and not zero. */
export function stopsTheCall(event: StageEvent, subject: Subject): boolean {
  const word = wordOf(event, 6);
  return (word.lo | word.hi) !== 0 && programNumbered(subject, event.number)?.kind === 'fmod_ret';
}

/** Index of the word in a PROGRAM event that stands where the return value is in ctx. */
export function returnSlot(subject: Subject): number {
  return PROGRAM_ARGUMENTS + subject.contract.slots.length;
}

/** The stack pointer when the image's first instruction is about to run. */
export function entryStackPointer(subject: Subject): Word {
  return plus(CALLER_FRAME, subject.entry.jmp ? -8 : -16);
}
