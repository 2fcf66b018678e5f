import { cell } from '../cell.ts';
import { conditionTag, holds } from '../flags.ts';
import { FIELD } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import { effectiveAddress, lowMask, readReg, tagValue, writeReg } from '../operand.ts';
import { CONSTANT, firstVariable, MIXED, UNDEFINED } from '../origin.ts';
import { load, loadDestination, storeDestination } from './place.ts';

/**
 * The address is computed and nothing is accessed, so it may depend on anything: the result is constant,
 * undefined or computed, like the registers that it is made of, and never a cause to stop. The address is 64
 * bits wide and is cut to the operand's size afterwards.
 */
export function executeLea(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const r = m.arena;
  const base = cell(ops, k + FIELD.BASE);
  const index = cell(ops, k + FIELD.INDEX);
  // `effectiveAddress()` stops a strict run, and faults on an undefined register: both are for accesses.
  const strict = m.strict;
  m.strict = false;
  const reachable = effectiveAddress(m, ops, k);
  m.strict = strict;
  if (!reachable) m.stop = undefined;
  const tag = firstVariable(cell(r, base + 2), cell(r, base + 3), cell(r, index + 2), cell(r, index + 3));
  tagValue(m.y, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 8);
  m.y.lo &= lowMask(size);
  writeReg(m, cell(ops, k + FIELD.A), size, m.y);
  return true;
}

/**
 * Both operands are read before either is written; memory is written first, so that a fault changes nothing.
 * With memory it is locked on a CPU without any prefix; here one task executes at a time, and no other sees
 * its stack.
 */
export function executeExchange(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const other: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, cell(ops, k + FIELD.B), size, other);
  if (!loadDestination(m, ops, k, size, m.x)) return false;
  const mine: OperandValue = { ...m.x };
  if (!storeDestination(m, ops, k, size, other)) return false;
  writeReg(m, cell(ops, k + FIELD.B), size, mine);
  return true;
}

/**
 * The source is read, and may fault, whether or not the condition holds. A 32-bit destination is
 * zero-extended even when it keeps its value: the old low half is written back. The result is as variable as
 * the flags, for they chose it.
 */
export function executeCmov(
  m: Machine,
  ops: Int32Array,
  k: number,
  size: number,
  condition: number,
): boolean {
  if (!load(m, ops, k, size, m.x)) return false;
  const chosen: OperandValue = { ...m.x };
  if (!holds(m.flags, condition)) readReg(m, cell(ops, k + FIELD.A), size, chosen);
  const tag = conditionTag(m.flags, condition);
  if (tag !== CONSTANT) tagValue(chosen, tag === UNDEFINED ? UNDEFINED : MIXED, size);
  writeReg(m, cell(ops, k + FIELD.A), size, chosen);
  return true;
}

/**
 * One byte, 0 or 1, whatever the prefixes; the rest of a register stays. The result is as constant, undefined
 * or computed as the flags are.
 */
export function executeSetcc(m: Machine, ops: Int32Array, k: number, condition: number): boolean {
  const tag = conditionTag(m.flags, condition);
  m.x.lo = holds(m.flags, condition) ? 1 : 0;
  m.x.hi = 0;
  tagValue(m.x, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 1);
  return storeDestination(m, ops, k, 1, m.x);
}

/**
 * Bytes change their places, and their tags go with them: byte 0 of an argument is still byte 0 of it. Sizes
 * are 4 and 8: with a 16-bit operand the result is undefined by the SDM, and the decoder refuses it.
 */
export function executeByteSwap(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  readReg(m, cell(ops, k + FIELD.A), size, m.x);
  const { lo, hi, tagLo, tagHi } = m.x;
  const eight = size === 8;
  const swapped = {
    lo: reverse(eight ? hi : lo),
    hi: reverse(lo),
    tagLo: reverse(eight ? tagHi : tagLo),
    tagHi: reverse(tagLo),
  };
  writeReg(m, cell(ops, k + FIELD.A), size, swapped);
  return true;
}

/** Of bytes or of tags alike. */
function reverse(four: number): number {
  return (four << 24) | ((four & 0xff00) << 8) | ((four >>> 8) & 0xff00) | (four >>> 24);
}
