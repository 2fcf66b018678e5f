import { CF, OF, resultBits, setBits, TAG } from './flags.ts';
import type { Machine, OperandValue } from './machine.ts';
import { tagValue } from './operand.ts';
import { CONSTANT, firstVariable, MIXED, UNDEFINED } from './origin.ts';

/**
 * Two- and three-operand IMUL, `a := a * b` truncated to `size` bytes. CF and OF are set when the full signed
 * product does not fit. There is no MUL of this form: the low half is the same for both signs.
 */
export function multiply(m: Machine, size: number, a: OperandValue, b: OperandValue): void {
  const bits = size * 8;
  const tag = firstVariable(a.tagLo, a.tagHi, b.tagLo, b.tagHi);
  const product = signed(bits, a) * signed(bits, b);
  store(a, BigInt.asUintN(bits, product));
  setMultiplyFlags(m, size, a, product !== BigInt.asIntN(bits, product), tag);
  tagValue(a, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, size);
}

/**
 * One-operand MUL and IMUL: `high:low := low * b`, both of `size` bytes. CF and OF are set when `high` is
 * more than the extension of `low`: nonzero for MUL, anything but the sign for IMUL.
 */
export function multiplyWide(
  m: Machine,
  isSigned: boolean,
  size: number,
  low: OperandValue,
  b: OperandValue,
  high: OperandValue,
): void {
  const bits = size * 8;
  const tag = firstVariable(low.tagLo, low.tagHi, b.tagLo, b.tagHi);
  const product = isSigned ? signed(bits, low) * signed(bits, b) : unsigned(low) * unsigned(b);
  store(low, BigInt.asUintN(bits, product));
  // The shift of a negative product is arithmetic; `asUintN()` keeps the bits of one operand of it.
  store(high, BigInt.asUintN(bits, product >> BigInt(bits)));
  const fits = isSigned ? product === BigInt.asIntN(bits, product) : product >> BigInt(bits) === 0n;
  setMultiplyFlags(m, size, low, !fits, tag);
  const derived = tag === CONSTANT || tag === UNDEFINED ? tag : MIXED;
  tagValue(low, derived, size);
  tagValue(high, derived, size);
}

/**
 * SF, ZF, AF and PF are undefined after a multiply; they are set from the low result, with AF clear.
 * Comparisons with hardware mask them.
 */
function setMultiplyFlags(
  m: Machine,
  size: number,
  low: OperandValue,
  truncated: boolean,
  tag: number,
): void {
  setBits(m.flags, (truncated ? CF | OF : 0) | resultBits(size, low.lo, low.hi));
  m.flags[TAG] = tag;
}

/** Operands are zero-extended: one reading serves all sizes. */
function unsigned(v: OperandValue): bigint {
  return (BigInt(v.hi >>> 0) << 32n) | BigInt(v.lo >>> 0);
}

function signed(bits: number, v: OperandValue): bigint {
  return BigInt.asIntN(bits, unsigned(v));
}

function store(v: OperandValue, result: bigint): void {
  v.lo = Number(BigInt.asIntN(32, result));
  v.hi = Number(BigInt.asIntN(32, result >> 32n));
}
