import type { Word } from './word.ts';

/**
 * Where a byte came from: one tag beside every byte of every register and of memory.
 *
 * A tag is eight bits, `group << 3 | byte`: byte number `byte` of the value that `group` names (an
 * argument, a return value, a saved register …; the numbering of the groups belongs to the caller). Group 0
 * holds what has no origin of its own:
 *
 *   0  UNDEFINED   this byte was never written
 *   1  CONSTANT    the same in every run: an immediate, an address, or computed from such
 *   2  MIXED       computed from something that is not constant
 *
 * A move copies tags as it copies bytes, four tags to an int32, so following an origin costs what following
 * the value costs. A trampoline only moves arguments: when no branch and no address had a tag other than
 * CONSTANT, what one run shows of the tags holds for every value of the arguments.
 */
export const UNDEFINED = 0;
export const CONSTANT = 1;
export const MIXED = 2;

/** Four tags of one kind in one int32. */
export const CONSTANT4 = 0x01010101;
export const MIXED4 = 0x02020202;

/** A word, with the tags of its lower and of its upper half. */
export interface TaggedWord {
  readonly value: Word;
  readonly tagLo: number;
  readonly tagHi: number;
}

/** Groups are numbered 1 … GROUP_MAX. */
export const GROUP_MAX = 31;

/** The tag of one byte of a group's value. */
export function tagOf(group: number, byte: number): number {
  return (group << 3) | byte;
}

/** The tags of bytes 0–3 of a group's value, as one int32. */
export function lowTags(group: number): number {
  return (group * 0x08080808) | 0x03020100 | 0;
}

/** The tags of bytes 4–7 of a group's value, as one int32. */
export function highTags(group: number): number {
  return (group * 0x08080808) | 0x07060504 | 0;
}

/** The group whose eight bytes are in order in a word's tags, or 0 when the word is not one whole value. */
export function wholeGroup(tagLo: number, tagHi: number): number {
  const group = (tagLo & 0xff) >>> 3;
  return group > 0 && tagLo === lowTags(group) && tagHi === highTags(group) ? group : 0;
}

/** One of the four tags in an int32. */
export function tagAt(tags: number, byte: number): number {
  return (tags >>> (byte * 8)) & 0xff;
}

/**
 * The tag that describes a result computed from every byte of the given words' tags: CONSTANT if all are,
 * UNDEFINED if any is, otherwise the tag of the first byte that is not constant, so that a report can name it.
 */
export function firstVariable(...tags: number[]): number {
  let found = CONSTANT;
  for (const four of tags) {
    for (let byte = 0; byte < 4; byte++) {
      const tag = tagAt(four, byte);
      if (tag === UNDEFINED) return UNDEFINED;
      if (tag !== CONSTANT && found === CONSTANT) found = tag;
    }
  }
  return found;
}
