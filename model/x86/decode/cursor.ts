import { byteAt, byteOrZero } from '../cell.ts';
import { FIELD } from '../instruction.ts';

/** The longest legal instruction in bytes. */
export const LONGEST = 15;

/** The cursor of the one decode in progress; allocated once, because an image is decoded in microseconds. */
export interface Cursor {
  bytes: Uint8Array;
  start: number;
  at: number;
  end: number;
  ops: Int32Array;
  k: number;
  rex: number;
  operand16: boolean;
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

export function takeInt32(d: Cursor): number {
  return take(d) | (take(d) << 8) | (take(d) << 16) | (take(d) << 24);
}

/** Legacy prefixes in any order, then at most one REX directly before the opcode. */
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

/** Operand size of instructions whose opcode does not fix it. */
export function operandSize(d: Cursor): number {
  if ((d.rex & 8) !== 0) return 8;
  return d.operand16 ? 2 : 4;
}

export function set(d: Cursor, family: number, form: number, size: number, sub = 0): void {
  const { ops, k } = d;
  ops[k + FIELD.FAMILY] = family;
  ops[k + FIELD.FORM] = form;
  ops[k + FIELD.SIZE] = size;
  ops[k + FIELD.SUB] = sub;
}

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
