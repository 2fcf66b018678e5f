import { cell } from '../cell.ts';
import { FAMILY, FIELD, FIELDS, FORM, NO_REGISTER } from '../instruction.ts';
import type { Cursor } from './cursor.ts';
import { cursor, LONGEST, readPrefixes, take } from './cursor.ts';
import { decodeOneByte } from './one-byte.ts';
import { decodeTwoByte } from './two-byte.ts';

/**
 * Reads one instruction of the supported subset and writes its fields into `ops` from index `k`.
 *
 * Returns its length in bytes, or 0 when the bytes are not an instruction that we model (or run out before the
 * instruction ends); the caller names it. `ripHi:ripLo` is the address of the first byte: relative targets and
 * RIP-relative operands come out absolute.
 */
export function decode(
  bytes: Uint8Array,
  offset: number,
  ops: Int32Array,
  k: number,
  ripHi: number,
  ripLo: number,
): number {
  const d = cursor;
  d.bytes = bytes;
  d.start = offset;
  d.at = offset;
  d.end = Math.min(bytes.length, offset + LONGEST);
  d.ops = ops;
  d.k = k;
  ops.fill(0, k, k + FIELDS);
  // The decoders of operands set only what is there.
  ops[k + FIELD.BASE] = NO_REGISTER;
  ops[k + FIELD.INDEX] = NO_REGISTER;
  d.ripRelative = false;
  d.failed = false;
  d.ranOut = false;
  readPrefixes(d);
  const opcode = take(d);
  if (opcode === 0x0f) decodeTwoByte(d, take(d));
  else decodeOneByte(d, opcode);
  if (d.failed) return 0;
  const length = d.at - d.start;
  ops[k + FIELD.LENGTH] = length;
  // After the immediate has been read: `rip` is that of the next instruction, and the immediate comes after
  // the displacement.
  makeAbsolute(d, ripHi, (ripLo >>> 0) + length);
  return length;
}

/** Whether the last decoding failed because the bytes came to their end in the middle of an instruction. */
export function ranOut(): boolean {
  return cursor.ranOut;
}

/** Turns relative branch targets and RIP-relative operands into absolute addresses. */
function makeAbsolute(d: Cursor, ripHi: number, next: number): void {
  const { ops, k } = d;
  const family = cell(ops, k + FIELD.FAMILY);
  const relative = family === FAMILY.JCC || family === FAMILY.CALL || family === FAMILY.JUMP;
  if (relative && ops[k + FIELD.FORM] === FORM.I)
    addRip(ops, k + FIELD.IMM_LO, k + FIELD.IMM_HI, ripHi, next);
  if (d.ripRelative) addRip(ops, k + FIELD.DISP_LO, k + FIELD.DISP_HI, ripHi, next);
}

/** Adds a 64-bit instruction pointer (low half unsigned, possibly past 2^32) to a sign-extended pair of fields. */
function addRip(ops: Int32Array, lo: number, hi: number, ripHi: number, next: number): void {
  const sum = next + (cell(ops, lo) >>> 0);
  ops[lo] = sum | 0;
  ops[hi] = cell(ops, hi) + ripHi + Math.floor(sum / 4294967296);
}
