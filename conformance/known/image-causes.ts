import type { Known } from '../../checker/images/known-breach.ts';
import type { Choice } from '../../checker/images/paths.ts';
import { stackWords } from '../../model/abi/x86-64.ts';
import { kernelSlots } from '../../model/trampoline/signature.ts';
import { ARGUMENT, CALLER } from '../../model/trampoline/stage/groups.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import { CONSTANT4, lowTags, tagOf, wholeGroup } from '../../model/x86/origin.ts';
import type {
  FoundInstead,
  ImageFinding,
  ImageFindingOf,
  PlacedInstead,
  UpperByte,
} from '../../properties/finding/image-finding.ts';
import type { Subject } from '../../properties/observed/subject.ts';

/*
 * Causes of known breaches of images, evaluated on the finding, on the path to it, and on the image's request.
 */

/** A finding with one tag, and conditions on its fields. */
export function shows<T extends ImageFinding['is']>(
  tag: T,
  when: (finding: ImageFindingOf<T>, subject: Subject, path: readonly Choice[]) => boolean,
): Known['matches'] {
  return ({ finding, path }, subject) => isOf(finding, tag) && when(finding, subject, path);
}

function isOf<T extends ImageFinding['is']>(finding: ImageFinding, tag: T): finding is ImageFindingOf<T> {
  return finding.is === tag;
}

/** A program has returned a value in place of the original's. */
export function endsEarly(path: readonly Choice[]): boolean {
  return path.some(({ question, nonzero }) => question === 'return' && nonzero);
}

/** Whether a word is whole, and of one origin. */
export function isAll({ tagLo, tagHi }: TaggedWord, group: number): boolean {
  return wholeGroup(tagLo, tagHi) === group;
}

/** An argument on the stack is read from another place than its own, and that word is found in its place. */
export function isTakenElsewhere({ argument, observed }: FoundInstead, subject: Subject): boolean {
  const taken = takenInstead(argument, subject);
  return taken !== undefined && (isAll(observed, taken) || isCleared(observed, taken));
}

/** A word whose upper half has been cleared as that of a single narrow argument. */
function isCleared({ tagLo, tagHi }: TaggedWord, group: number): boolean {
  return tagLo === lowTags(group) && tagHi === CONSTANT4;
}

/** The same for a byte above it. */
export function isByteTakenElsewhere({ argument, byte, observed }: UpperByte, subject: Subject): boolean {
  const taken = takenInstead(argument, subject);
  return taken !== undefined && observed === tagOf(taken, byte);
}

/** The image of a struct_ops member looks for its stack arguments above the return address of a call site. */
export function isAboveACallSite({ request, contract }: Pick<Subject, 'request' | 'contract'>): boolean {
  return contract.isMember && request.profile.memberArgsAbove === 'a call site';
}

/**
 * What the caller has where the generator reads a word, if that is not where the ABI places it: the generator knows no
 * alignment, and expects the return address of a call site above that of the caller of a struct_ops member.
 */
function takenInstead(argument: number, { request, contract }: Subject): number | undefined {
  const place = contract.slots[argument]?.place;
  const read = kernelSlots(request.signature)[argument]?.place;
  if (place?.in !== 'stack' || read?.in !== 'stack') return undefined;
  const index = read.index + (isAboveACallSite({ request, contract }) ? 1 : 0);
  if (place.index === index) return undefined;
  const stands = contract.slots.findIndex((slot) => slot.place.in === 'stack' && slot.place.index === index);
  return stands < 0 ? CALLER : ARGUMENT + stands;
}

/** The lost words are exactly those after the last word of an unaligned stack. */
export function areBehindTheCopy(words: readonly PlacedInstead[], { request, contract }: Subject): boolean {
  const copied = stackWords(kernelSlots(request.signature));
  const behind = contract.slots.flatMap(({ place }, i) =>
    place.in === 'stack' && place.index >= copied ? [i] : [],
  );
  return behind.length === words.length && words.every(({ argument }) => behind.includes(argument));
}
