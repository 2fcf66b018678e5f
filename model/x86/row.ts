/**
 * A row is the short form of one decoded instruction, eight numbers in the machine's arena: what the
 * interpreter's loop needs of it and nothing else. Rows are linked by arena index; 0 is no link yet. No row
 * is at 0, where the registers are.
 *
 * Eight numbers are 32 bytes: two rows share a cache line. The numbers are repeated as enumerations in
 * `execute.ts`.
 */
export const ROW = {
  OP: 0,
  /** The row after this one. */
  NEXT: 1,
  /** A register field; the condition of a branch. */
  A: 2,
  /** The second register, or the base of a memory operand. */
  B: 3,
  /** Displacement, immediate, or return address. */
  X: 4,
  Y: 5,
  /** The target row of a direct branch. */
  TARGET: 6,
  /** Offset in the region, length, and the region's number. */
  PLACE: 7,
} as const;

/** Short forms of what images and stubs mostly consist of; all else is GENERIC. */
export const OP = {
  GENERIC: 0,
  LOAD: 1,
  STORE: 2,
  /** A store that is written to the journal. */
  STORE_NOTED: 3,
  /** A store of an immediate. */
  STORE_I: 4,
  MOV_RR: 5,
  MOV_RI: 6,
  LEA: 7,
  /** Addition to `rsp`. */
  ADJUST: 8,
  ZERO: 9,
  TEST_SELF: 10,
  CALL: 11,
  RETURN: 12,
  /** `je` and `jne`. */
  JZ: 13,
  JUMP: 14,
  PUSH: 15,
  POP: 16,
  LEAVE: 17,
  NOP: 18,
  BREAK: 19,
} as const;

/** PLACE: 20 bits of offset, 4 of length in bytes, 8 of region number. */
const LENGTH_SHIFT = 20;
const REGION_SHIFT = 24;

/** What PLACE has room for: bytes of an executable region, and regions of a machine. */
export const CODE_BYTES_MOST = 1 << LENGTH_SHIFT;
export const REGIONS_MOST = 256;
/** Numbers of an arena that the loop's masks let through. */
export const ARENA_MOST = 1 << 24;

export function placeOfRow(region: number, offset: number, length: number): number {
  return (region << REGION_SHIFT) | (length << LENGTH_SHIFT) | offset;
}

export function offsetOfPlace(place: number): number {
  return place & 0xfffff;
}

export function lengthOfPlace(place: number): number {
  return (place >>> LENGTH_SHIFT) & 15;
}

export function regionOfPlace(place: number): number {
  return place >>> REGION_SHIFT;
}
