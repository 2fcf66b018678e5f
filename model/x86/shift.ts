import { CF, flagBits, OF, resultBits, setBits, signOf, TAG, wholeTag, ZERO_TEST } from './flags.ts';
import { SHIFT } from './instruction.ts';
import type { Machine, OperandValue } from './machine.ts';
import { tagValue } from './operand.ts';
import { CONSTANT, firstVariable, MIXED, UNDEFINED } from './origin.ts';

/**
 * Shifts and rotates of a zero-extended operand of `size` bytes by the low five (six at 64 bits) bits of
 * `count`. A count of zero changes no flag, but a 32-bit destination is still written and zero-extended. OF
 * is defined only for a count of one; CPUs leave the last step's value, and so do we for rotates; the
 * differential test masks what the manual leaves open.
 *
 * The mask is that of the count, not of the operand: a byte can be shifted by up to 31. RCL and RCR are
 * refused by the decoder.
 */
export function shift(m: Machine, kind: number, size: number, a: OperandValue, count: OperandValue): void {
  const by = count.lo & (size === 8 ? 63 : 31);
  const inputs = firstVariable(a.tagLo, a.tagHi, count.tagLo, count.tagHi);
  const rotates = kind === SHIFT.ROL || kind === SHIFT.ROR;
  if (by > 0) {
    const bits = BigInt(size * 8);
    const value = BigInt.asUintN(64, (BigInt(a.hi >>> 0) << 32n) | BigInt(a.lo >>> 0));
    const result = rotates ? rotate(kind, value, bits, by) : linear(kind, value, bits, by);
    a.lo = Number(BigInt.asIntN(32, result));
    a.hi = Number(BigInt.asIntN(32, result >> 32n));
    // The masked count decides, for a rotate too: a byte rotated by 8 is unchanged, and its CF is set from
    // the result.
    if (rotates) rotateFlags(m, kind, size, a, by);
    else linearFlags(m, kind, size, a, value, bits, by);
  }
  // A variable count may have been zero, which keeps the old flags: their origin is then that of both.
  const counted = firstVariable(count.tagLo, count.tagHi) === CONSTANT;
  if (by > 0 || !counted) m.flags[TAG] = rotates || !counted ? mergedTag(wholeTag(m.flags), inputs) : inputs;
  tagValue(a, inputs === CONSTANT || inputs === UNDEFINED ? inputs : MIXED, size);
}

/** SHL, SHR and SAR without flags. BigInt, for a shift by up to 63 crosses the halves; images shift rarely. */
function linear(kind: number, value: bigint, bits: bigint, by: number): bigint {
  const count = BigInt(by);
  if (kind === SHIFT.SHL) return BigInt.asUintN(Number(bits), value << count);
  if (kind === SHIFT.SHR) return value >> count;
  return BigInt.asUintN(Number(bits), BigInt.asIntN(Number(bits), value) >> count);
}

function rotate(kind: number, value: bigint, bits: bigint, by: number): bigint {
  const count = BigInt(by) % bits;
  const left = kind === SHIFT.ROL ? count : (bits - count) % bits;
  return BigInt.asUintN(Number(bits), (value << left) | (value >> (bits - left)));
}

/**
 * CF is the last bit shifted out, undefined for SHL and SHR when the count reaches the operand's size (0
 * here); SAR repeats the sign. OF for a count of one: SHL when the sign changed, SHR the sign before, SAR
 * never. SF, ZF and PF are of the result, AF is undefined.
 */
function linearFlags(
  m: Machine,
  kind: number,
  size: number,
  a: OperandValue,
  before: bigint,
  bits: bigint,
  by: number,
): void {
  const last = kind === SHIFT.SHL ? bits - BigInt(by) : BigInt(by) - 1n;
  const signed = BigInt.asIntN(Number(bits), before);
  const out = last < 0n ? 0n : ((kind === SHIFT.SAR ? signed : before) >> last) & 1n;
  const carry = out === 1n;
  const sign = signOf(size, a.lo, a.hi);
  const first = BigInt.asIntN(Number(bits), before) < 0n;
  const overflow = kind === SHIFT.SHL ? sign !== carry : kind === SHIFT.SHR ? first : false;
  setBits(m.flags, (carry ? CF : 0) | (overflow ? OF : 0) | resultBits(size, a.lo, a.hi));
}

/**
 * Rotates touch only CF and OF: CF is the bit that came round last, bit 0 after ROL, the top bit after ROR.
 * OF, for a count of one, is the top bit xor CF after ROL, and the xor of the two top bits after ROR.
 */
function rotateFlags(m: Machine, kind: number, size: number, a: OperandValue, by: number): void {
  const kept = flagBits(m.flags) & ~(CF | OF);
  const top = signOf(size, a.lo, a.hi);
  const second = ((size === 8 ? a.hi : a.lo << (32 - size * 8)) & 0x40000000) !== 0;
  const carry = kind === SHIFT.ROL ? (a.lo & 1) !== 0 : top;
  const overflow = kind === SHIFT.ROL ? top !== carry : top !== second;
  setBits(m.flags, kept | (carry ? CF : 0) | (overflow && by > 0 ? OF : 0));
}

/**
 * Flags that are partly kept are as variable as both. A test for zero ends here: CF is no longer that of the
 * test.
 */
function mergedTag(kept: number, inputs: number): number {
  if (inputs !== CONSTANT) return inputs;
  return kept >= ZERO_TEST ? MIXED : kept;
}
