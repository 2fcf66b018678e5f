import { item } from '../../../model/core/present.ts';
import { decode } from '../../../model/x86/decode/decode.ts';
import { FIELDS } from '../../../model/x86/instruction.ts';
import { OP, ROW } from '../../../model/x86/row.ts';
import { shortFromFields } from '../../../model/x86/short-form.ts';
import { shortFromBytes } from '../../../model/x86/shorten.ts';
import type { ReadInstruction, ReadOperand } from './read.ts';

/*
 * Which instructions have a short form, written down a second time from the comments of row.ts and short-form.ts: the
 * generic execution does the same, so that a form that is not taken shows in nothing but time.
 */

export type ShortForm = keyof typeof OP;

const RSP = 4;

/** The short form of an instruction that was read. */
export function shortFormOf({ encoding, size, condition, operands }: ReadInstruction): ShortForm {
  const [a, b] = operands;
  switch (encoding.name) {
    case 'NOP':
    case 'ENDBR64':
    case 'LFENCE':
      return 'NOP';
    case 'LEAVE':
      return 'LEAVE';
    case 'RET':
      return a === undefined ? 'RETURN' : 'GENERIC';
    case 'Jcc':
      return condition >> 1 === 2 ? 'JZ' : 'GENERIC';
    case 'CALL':
      return a?.is === 'value' ? 'CALL' : 'GENERIC';
    case 'JMP':
      return a?.is === 'value' ? 'JUMP' : 'GENERIC';
    case 'PUSH':
      return a?.is === 'register' ? 'PUSH' : 'GENERIC';
    case 'POP':
      return a?.is === 'register' ? 'POP' : 'GENERIC';
    case 'XOR':
      return size >= 4 && isTwice(a, b) ? 'ZERO' : 'GENERIC';
    case 'TEST':
      return size === 8 && isTwice(a, b) ? 'TEST_SELF' : 'GENERIC';
    case 'ADD':
    case 'SUB':
      return size === 8 && a?.is === 'register' && a.number === RSP && isAdjusting(b) ? 'ADJUST' : 'GENERIC';
    case 'LEA':
      return size === 8 && isPlain(b) ? 'LEA' : 'GENERIC';
    case 'MOV':
      return moveOf(size, a, b);
    default:
      return 'GENERIC';
  }
}

function isTwice(a: ReadOperand | undefined, b: ReadOperand | undefined): boolean {
  return a?.is === 'register' && b?.is === 'register' && a.number === b.number;
}

/** Zero and -2^31 are their own negatives. */
function isAdjusting(b: ReadOperand | undefined): boolean {
  return b?.is === 'value' && b.value !== 0n && b.value !== 0xffff_ffff_8000_0000n;
}

/** A base or none, and a displacement that 32 bits hold. */
function isPlain(operand: ReadOperand | undefined): boolean {
  if (operand?.is !== 'memory') return false;
  const { index, gs, displacement } = operand;
  return index === undefined && !gs && BigInt.asUintN(64, BigInt.asIntN(32, displacement)) === displacement;
}

function moveOf(size: number, a: ReadOperand | undefined, b: ReadOperand | undefined): ShortForm {
  if (a?.is === 'register' && b?.is === 'value') return size >= 4 ? 'MOV_RI' : 'GENERIC';
  if (size !== 8) return 'GENERIC';
  if (a?.is === 'register' && b?.is === 'register') return 'MOV_RR';
  if (isPlain(b)) return 'LOAD';
  if (!isPlain(a)) return 'GENERIC';
  return b?.is === 'value' ? 'STORE_I' : 'STORE';
}

/** Numbers of a row that a form reads; a branch finds its target in the bytes. */
const READS: Readonly<Record<ShortForm, readonly (keyof typeof ROW)[]>> = {
  GENERIC: [],
  LOAD: ['A', 'B', 'X'],
  STORE: ['A', 'B', 'X'],
  STORE_NOTED: ['A', 'B', 'X'],
  STORE_I: ['B', 'X', 'Y'],
  MOV_RR: ['A', 'B'],
  MOV_RI: ['A', 'X', 'Y'],
  LEA: ['A', 'B', 'X'],
  ADJUST: ['X', 'Y'],
  ZERO: ['A'],
  TEST_SELF: ['A'],
  CALL: ['X', 'Y'],
  RETURN: [],
  JZ: ['A'],
  JUMP: [],
  PUSH: ['A'],
  POP: ['A'],
  LEAVE: [],
  NOP: [],
  BREAK: [],
};

/** The forms by number. */
export const FORMS = Object.keys(READS) as ShortForm[];

/**
 * Encodings of which the bytes alone tell the short form, as hexadecimal text: no prefix but REX, and what the BPF JIT and
 * the assembler write.
 */
const AT_ONCE = [
  /^4[89a-f]8[9b][c-f]/,
  /^4[89a-f]8[9bd][4-9ab][^4c]/,
  /^4[8c]8[9bd][4-9ab][4c]24/,
  /^4[89a-f]c7[48][0-35-7]/,
  /^(4.)?b[89a-f]/,
  /^(4[0-7])?5/,
  /^4885(c0|c9|d2|db|e4|ed|f6|ff)/,
  /^4883(c4|ec)(?!00)/,
  /^4881(c4|ec)(?!000000[08]0)/,
  /^(e8|e9|74|75|c3|0f1f44|c9)/,
  /^31(c0|c9|d2|db|e4|ed|f6|ff)/,
];

export function isAtOnce(bytes: Uint8Array, offset: number): boolean {
  const text = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + offset,
    Math.min(8, bytes.length - offset),
  ).toString('hex');
  return AT_ONCE.some((pattern) => pattern.test(text));
}

const details = new Int32Array(FIELDS);
const [long, short] = [new Int32Array(8), new Int32Array(8)];

/** A sample, the address of its first byte, and how long it is and in which form, after the opcode map; 0: neither. */
export interface Sample {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly hi: number;
  readonly lo: number;
  readonly length: number;
  readonly form: ShortForm;
  /** The bytes alone tell its form. */
  readonly atOnce: boolean;
}

/** Both ways to a short form come to that of the opcode map, with the same numbers. */
export function shortFormDifference({
  bytes,
  offset,
  hi,
  lo,
  length,
  form,
  atOnce,
}: Sample): string | undefined {
  const found = shortFromBytes(bytes, offset, short, 0, lo, hi);
  if (atOnce !== found > 0) return `read ${atOnce ? 'not ' : ''}at once`;
  if (length === 0) return undefined;
  const full = decode(bytes, offset, details, 0, hi, lo);
  shortFromFields(details, 0, long, 0, (lo + full) | 0, hi);
  if (item([...long], 0) !== OP[form]) return `short form ${long[0]}, not ${form}`;
  if (!atOnce) return undefined;
  if (found !== length) return `${found} bytes at once, not ${length}`;
  const other = (['OP', ...READS[form]] as const).find((field) => long[ROW[field]] !== short[ROW[field]]);
  return other === undefined ? undefined : `${other} is ${short[ROW[other]]}, not ${long[ROW[other]]}`;
}
