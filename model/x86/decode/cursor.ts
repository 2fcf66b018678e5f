import { byteAt, byteOrZero } from '../cell.ts';
import { FIELD } from '../instruction.ts';

/** The longest legal instruction in bytes. */
export const LONGEST = 15;

/**
 * The cursor of the one decode in progress; allocated once, because an image is decoded in microseconds.
 * Decoding does not nest.
 *
 * A decode that cannot succeed sets `failed` and runs on: reading past the end gives zeroes, and `decode()`
 * checks once.
 */
export interface Cursor {
  bytes: Uint8Array;
  start: number;
  at: number;
  end: number;
  /** The fields are written to `ops` from `k` on. */
  ops: Int32Array;
  k: number;
  /**
   * 0 without a REX prefix. A prefix of 40 has no bit set and still changes registers 4-7 of one byte from
   * `ah ch dh bh` to `spl bpl sil dil`.
   */
  rex: number;
  operand16: boolean;
  /**
   * 0, F2 or F3: the last of them. It selects `pause` and `endbr64`, and means nothing to `ret`, branches and
   * nops.
   */
  repeat: number;
  ripRelative: boolean;
  failed: boolean;
  /** It failed because the bytes came to their end. */
  ranOut: boolean;
}

export const cursor: Cursor = {
  bytes: new Uint8Array(0),
  start: 0,
  at: 0,
  end: 0,
  ops: new Int32Array(0),
  k: 0,
  rex: 0,
  operand16: false,
  repeat: 0,
  ripRelative: false,
  failed: false,
  ranOut: false,
};

/** The next byte. `end` is 15 bytes after the start, where a CPU raises #GP, or the end of the bytes. */
export function take(d: Cursor): number {
  if (d.at >= d.end) {
    d.failed = true;
    d.ranOut = d.at >= d.bytes.length;
    return 0;
  }
  return byteAt(d.bytes, d.at++);
}

export function takeInt8(d: Cursor): number {
  return (take(d) << 24) >> 24;
}

/** The largest displacement and immediate, except for the eight bytes of B8+r. */
export function takeInt32(d: Cursor): number {
  return take(d) | (take(d) << 8) | (take(d) << 16) | (take(d) << 24);
}

/**
 * Legacy prefixes in any order, then at most one REX directly before the opcode; a REX before another prefix
 * would be ignored by a CPU and is refused.
 *
 * 66, F2, F3 and `%gs` (65) have a meaning; the segments of 2E (CS) and 3E (DS) are ignored in 64-bit mode,
 * and pad nops. Address size (67), LOCK (F0), `%fs` (64), 26 and 36 are not modelled: they are taken for
 * opcodes, and no opcode has their numbers.
 */
export function readPrefixes(d: Cursor): void {
  d.rex = 0;
  d.operand16 = false;
  d.repeat = 0;
  for (;;) {
    const byte = byteOrZero(d.bytes, d.at);
    if (byte === 0x66) d.operand16 = true;
    else if (byte === 0xf3 || byte === 0xf2) d.repeat = byte;
    else if (byte === 0x65) d.ops[d.k + FIELD.GS] = 1;
    else if (byte !== 0x2e && byte !== 0x3e) break;
    d.at++;
    if (d.at >= d.end) return;
  }
  const byte = byteOrZero(d.bytes, d.at);
  if (byte >= 0x40 && byte <= 0x4f) {
    d.rex = byte;
    d.at++;
  }
}

/** Operand size of instructions whose opcode does not fix it. REX.W wins over 66. */
export function operandSize(d: Cursor): number {
  if ((d.rex & 8) !== 0) return 8;
  return d.operand16 ? 2 : 4;
}

/** The other fields are zero, or NO_REGISTER, from the start. */
export function set(d: Cursor, family: number, form: number, size: number, sub = 0): void {
  const { ops, k } = d;
  ops[k + FIELD.FAMILY] = family;
  ops[k + FIELD.FORM] = form;
  ops[k + FIELD.SIZE] = size;
  ops[k + FIELD.SUB] = sub;
}

/** An immediate of 1, 2 or 4 bytes, sign-extended to eight; it is cut to the operand's size when it is used. */
export function immediate(d: Cursor, bytes: number): void {
  const value =
    bytes === 1 ? takeInt8(d) : bytes === 2 ? ((take(d) | (take(d) << 8)) << 16) >> 16 : takeInt32(d);
  d.ops[d.k + FIELD.IMM_LO] = value;
  d.ops[d.k + FIELD.IMM_HI] = value >> 31;
}

/** Size in bytes of an immediate that follows an operand size: 4 for eight-byte operands, sign-extended. */
export function immediateBytes(size: number): number {
  return size === 8 ? 4 : size;
}
