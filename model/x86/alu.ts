import {
  AF,
  CF,
  carryTag,
  FROM_ADD,
  FROM_LOGIC,
  FROM_SUB,
  flagBits,
  OF,
  resultBits,
  setBits,
  setLazy,
  setTagButCarry,
  signOf,
  TAG,
  ZERO_TEST,
} from './flags.ts';
import { ALU, UNARY } from './instruction.ts';
import type { Machine, OperandValue } from './machine.ts';
import { lowMask, tagValue } from './operand.ts';
import { CONSTANT, CONSTANT4, firstVariable, MIXED, UNDEFINED, wholeGroup } from './origin.ts';

/** `a := a op b` for the eight classic operations on zero-extended operands of `size` bytes; sets the flags. */
export function alu(m: Machine, kind: number, size: number, a: OperandValue, b: OperandValue): void {
  // CMP is SUB without a result; the operand is put back below, tags included, which only the other
  // operations change.
  const aLo = a.lo;
  const aHi = a.hi;
  const tag = resultTag(m, kind, a, b);
  if (kind === ALU.ADD) add(m, size, a, b, 0);
  else if (kind === ALU.SUB || kind === ALU.CMP) subtract(m, size, a, b, 0);
  else if (kind === ALU.ADC) withCarry(m, FROM_ADD, size, a, b);
  else if (kind === ALU.SBB) withCarry(m, FROM_SUB, size, a, b);
  else logic(m, kind, size, a, b);
  // After the operation: it has set the tag of its flags to CONSTANT.
  m.flags[TAG] = flagsTag(kind, size, a, b, tag);
  if (kind === ALU.CMP) {
    a.lo = aLo;
    a.hi = aHi;
  } else tagValue(a, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, size);
}

/**
 * `test`: AND that keeps only the flags: ZF, SF and PF of the conjunction, CF and OF clear, AF undefined.
 *
 * Testing a whole value against itself is a test for zero, the one question about an argument that a strict
 * run may decide (`mayBranch()`): an image does so with the start time that a program's entry function
 * returns.
 */
export function test(
  m: Machine,
  size: number,
  a: OperandValue,
  b: OperandValue,
  sameRegister: boolean,
): void {
  const tag = firstVariable(a.tagLo, a.tagHi, b.tagLo, b.tagHi);
  setLazy(m.flags, FROM_LOGIC, size, a.lo, a.hi, b.lo, b.hi, a.lo & b.lo, a.hi & b.hi);
  const group = sameRegister && size === 8 ? wholeGroup(a.tagLo, a.tagHi) : 0;
  m.flags[TAG] = group > 0 ? ZERO_TEST | group : tag;
}

/**
 * NOT, NEG, INC and DEC. NOT changes no flag. NEG sets all six, as a subtraction from zero: CF unless the
 * operand is zero. INC and DEC set all but CF.
 */
export function unary(m: Machine, kind: number, size: number, a: OperandValue): void {
  const tag = firstVariable(a.tagLo, a.tagHi);
  const derived = tag === CONSTANT || tag === UNDEFINED ? tag : MIXED;
  if (kind === UNARY.NOT) {
    a.lo = ~a.lo & lowMask(size);
    a.hi = size === 8 ? ~a.hi : 0;
  } else if (kind === UNARY.NEG) {
    // `0 - a`: the operand becomes the subtrahend, in a copy.
    const b: OperandValue = { ...a };
    a.lo = a.hi = 0;
    subtract(m, size, a, b, 0);
    m.flags[TAG] = tag;
  } else {
    // The lazy pattern has no place for a carry from before: the flags become bits at once.
    const kept = flagBits(m.flags) & CF;
    const keptTag = carryTag(m.flags);
    const value: OperandValue = { lo: 1, hi: 0, tagLo: CONSTANT4, tagHi: CONSTANT4 };
    if (kind === UNARY.INC) add(m, size, a, value, 0);
    else subtract(m, size, a, value, 0);
    setBits(m.flags, (flagBits(m.flags) & ~CF) | kept);
    // CF of a test for zero is not what it tested.
    setTagButCarry(m.flags, tag, keptTag >= ZERO_TEST ? MIXED : keptTag);
  }
  tagValue(a, derived, size);
}

/**
 * Size 8 adds the halves as unsigned numbers and carries by comparison: a sum of two halves fits a double
 * exactly. Below that the mask truncates, and `hi` stays zero. `carryIn` is 0 or 1.
 */
function add(m: Machine, size: number, a: OperandValue, b: OperandValue, carryIn: number): void {
  const sum = (a.lo >>> 0) + (b.lo >>> 0) + carryIn;
  const lo = sum & lowMask(size);
  const hi = size === 8 ? (a.hi + b.hi + (sum > 4294967295 ? 1 : 0)) | 0 : 0;
  setLazy(m.flags, FROM_ADD, size, a.lo, a.hi, b.lo, b.hi, lo, hi);
  a.lo = lo;
  a.hi = hi;
}

/** As `add()`: a negative difference of the low halves is the borrow. */
function subtract(m: Machine, size: number, a: OperandValue, b: OperandValue, carryIn: number): void {
  const difference = (a.lo >>> 0) - (b.lo >>> 0) - carryIn;
  const lo = difference & lowMask(size);
  const hi = size === 8 ? (a.hi - b.hi - (difference < 0 ? 1 : 0)) | 0 : 0;
  setLazy(m.flags, FROM_SUB, size, a.lo, a.hi, b.lo, b.hi, lo, hi);
  a.lo = lo;
  a.hi = hi;
}

/**
 * ADC and SBB. `result < operand` is the carry of a sum of two, and ambiguous for one of three: with a carry
 * in, `a + 0xff + 1` is `a` again and did carry. CF is therefore computed in full width, OF from the three
 * signs, AF from the bits at position 4, and all are kept as bits.
 */
function withCarry(m: Machine, kind: number, size: number, a: OperandValue, b: OperandValue): void {
  const carryIn = flagBits(m.flags) & CF;
  const aLo = a.lo;
  const aHi = a.hi;
  if (kind === FROM_ADD) add(m, size, a, b, carryIn);
  else subtract(m, size, a, b, carryIn);
  const left = toBig(size, aLo, aHi);
  const right = toBig(size, b.lo, b.hi) + BigInt(carryIn);
  const carry = kind === FROM_ADD ? left + right > toBig(size, -1, -1) : left < right;
  const signs = [signOf(size, aLo, aHi), signOf(size, b.lo, b.hi), signOf(size, a.lo, a.hi)];
  const overflow =
    kind === FROM_ADD
      ? signs[0] === signs[1] && signs[2] !== signs[0]
      : signs[0] !== signs[1] && signs[2] !== signs[0];
  const adjust = (aLo ^ b.lo ^ a.lo) & AF;
  setBits(m.flags, (carry ? CF : 0) | (overflow ? OF : 0) | adjust | resultBits(size, a.lo, a.hi));
}

/** The unsigned value of an operand. */
function toBig(size: number, lo: number, hi: number): bigint {
  return size === 8 ? (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0) : BigInt((lo & lowMask(size)) >>> 0);
}

/**
 * AND, OR and XOR: CF and OF clear, SF, ZF and PF of the result, AF undefined. Zero-extended operands have a
 * zero-extended result.
 */
function logic(m: Machine, kind: number, size: number, a: OperandValue, b: OperandValue): void {
  if (kind === ALU.AND) {
    a.lo &= b.lo;
    a.hi &= b.hi;
  } else if (kind === ALU.OR) {
    a.lo |= b.lo;
    a.hi |= b.hi;
  } else {
    a.lo ^= b.lo;
    a.hi ^= b.hi;
  }
  // Operands are irrelevant to every flag of a logical result.
  setLazy(m.flags, FROM_LOGIC, size, 0, 0, 0, 0, a.lo, a.hi);
}

/** Origin of a result: variable if an operand is, or if a carry that is variable comes in. */
function resultTag(m: Machine, kind: number, a: OperandValue, b: OperandValue): number {
  const tag = firstVariable(a.tagLo, a.tagHi, b.tagLo, b.tagHi);
  if (tag === UNDEFINED || (kind !== ALU.ADC && kind !== ALU.SBB)) return tag;
  const flags = carryTag(m.flags);
  if (flags === UNDEFINED) return UNDEFINED;
  return flags === CONSTANT ? tag : MIXED;
}

/** Comparing a whole value with a constant zero is a test for zero, whatever the value's origin. */
function flagsTag(kind: number, size: number, a: OperandValue, b: OperandValue, tag: number): number {
  if (kind !== ALU.CMP || size !== 8 || (b.lo | b.hi) !== 0) return tag;
  if (b.tagLo !== CONSTANT4 || b.tagHi !== CONSTANT4) return tag;
  const group = wholeGroup(a.tagLo, a.tagHi);
  return group > 0 ? ZERO_TEST | group : tag;
}
