/*
 * Bytes with their origins, after the text at the top of model/x86/origin.ts: a tag a byte, and nothing else of the
 * emulator.
 */

/** The value of some bytes, and the tag of each, lowest first. */
export interface TaggedBytes {
  readonly value: bigint;
  readonly tags: readonly number[];
}

export const UNDEFINED = 0;
export const CONSTANT = 1;
export const MIXED = 2;
/** Flags that compare a whole value with zero: this and the value's group. */
export const ZERO_TEST = 0x100;

export function constant(value: bigint, bytes: number): TaggedBytes {
  return { value: BigInt.asUintN(8 * bytes, value), tags: all(CONSTANT, bytes) };
}

export function all(tag: number, bytes: number): number[] {
  return Array.from({ length: bytes }, () => tag);
}

/** The first bytes of a value. */
export function cut({ value, tags }: TaggedBytes, bytes: number): TaggedBytes {
  return { value: BigInt.asUintN(8 * bytes, value), tags: tags.slice(0, bytes) };
}

/** Zeroes after a value. */
export function extended(part: TaggedBytes, bytes: number): TaggedBytes {
  return { value: part.value, tags: [...part.tags, ...all(CONSTANT, bytes - part.tags.length)] };
}

/** What names the origin of a result: undefined if a byte is; else the first byte that is not constant. */
export function originOf(...tags: readonly number[]): number {
  if (tags.includes(UNDEFINED)) return UNDEFINED;
  return tags.find((tag) => tag !== CONSTANT) ?? CONSTANT;
}

/** The tag of each byte of a result of that origin. */
export function computed(origin: number): number {
  return origin === UNDEFINED || origin === CONSTANT ? origin : MIXED;
}

/** The group of which eight bytes are the whole value, in order; 0: none. */
export function groupOf(tags: readonly number[]): number {
  const group = (tags[0] ?? 0) >> 3;
  return tags.length === 8 && group > 0 && tags.every((tag, byte) => tag === group * 8 + byte) ? group : 0;
}
