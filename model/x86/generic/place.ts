import { cell } from '../cell.ts';
import { FIELD, FORM, REG_STRIDE } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import {
  effectiveAddress,
  mayWrite,
  noteStore,
  readImmediate,
  readMemory,
  readReg,
  writeMemory,
  writeReg,
} from '../operand.ts';
import { RAX, RBP, RCX, RDX, RSP } from '../register.ts';

export const RAX_FIELD = RAX * REG_STRIDE;
const RCX_FIELD = RCX * REG_STRIDE;
export const RDX_FIELD = RDX * REG_STRIDE;
export const RSP_FIELD = RSP * REG_STRIDE;
export const RBP_FIELD = RBP * REG_STRIDE;

/**
 * The source operand (the only one of PUSH) into `v`, zero-extended. It may fault; `m.y` is then the address.
 *
 * Of IMUL's forms, RMI has its first source in memory; of RRI this is the immediate, and `executeMultiply()`
 * reads the register.
 */
export function load(m: Machine, ops: Int32Array, k: number, size: number, v: OperandValue): boolean {
  switch (ops[k + FIELD.FORM]) {
    case FORM.RR:
    case FORM.MR:
      readReg(m, cell(ops, k + FIELD.B), size, v);
      return true;
    case FORM.R:
      readReg(m, cell(ops, k + FIELD.A), size, v);
      return true;
    case FORM.RM:
    case FORM.RMI:
    case FORM.M:
      return effectiveAddress(m, ops, k) && readMemory(m, size, v);
    default:
      readImmediate(ops, k, size, v);
      return true;
  }
}

/** Writes `v` to the destination of a move, which is not read before. */
export function store(m: Machine, ops: Int32Array, k: number, size: number, v: OperandValue): boolean {
  const form = cell(ops, k + FIELD.FORM);
  if (form !== FORM.MR && form !== FORM.MI) {
    writeReg(m, cell(ops, k + FIELD.A), size, v);
    return true;
  }
  return effectiveAddress(m, ops, k) && writeAndNote(m, size, v);
}

/** The destination operand of a read-modify-write instruction into `v`; leaves its address in `m.y`. */
export function loadDestination(
  m: Machine,
  ops: Int32Array,
  k: number,
  size: number,
  v: OperandValue,
): boolean {
  const form = cell(ops, k + FIELD.FORM);
  if (form === FORM.MR || form === FORM.MI || form === FORM.M)
    return effectiveAddress(m, ops, k) && readMemory(m, size, v);
  readReg(m, cell(ops, k + FIELD.A), size, v);
  return true;
}

/**
 * The same for an instruction that will write it back: a fault comes before any flag has changed. Read-only
 * memory thus refuses `add %rax, (mem)` as a write, not after it has been computed.
 */
export function loadForUpdate(
  m: Machine,
  ops: Int32Array,
  k: number,
  size: number,
  v: OperandValue,
): boolean {
  const form = cell(ops, k + FIELD.FORM);
  const inMemory = form === FORM.MR || form === FORM.MI || form === FORM.M;
  return loadDestination(m, ops, k, size, v) && (!inMemory || mayWrite(m, size));
}

/**
 * Writes `v` to the destination that was loaded. The address is computed again: an operation does not change
 * the registers that it is made of before it writes.
 */
export function storeDestination(
  m: Machine,
  ops: Int32Array,
  k: number,
  size: number,
  v: OperandValue,
): boolean {
  const form = cell(ops, k + FIELD.FORM);
  if (form === FORM.MR || form === FORM.MI || form === FORM.M)
    return effectiveAddress(m, ops, k) && writeAndNote(m, size, v);
  writeReg(m, cell(ops, k + FIELD.A), size, v);
  return true;
}

/**
 * A store of an instruction's own operand, which the journal keeps. Pushes and return addresses go to
 * `writeMemory()` directly.
 */
export function writeAndNote(m: Machine, size: number, v: OperandValue): boolean {
  if (!writeMemory(m, size, v)) return false;
  noteStore(m, size);
  return true;
}

/** The second operand of a binary instruction; shifts by `%cl` have none in their fields. */
export function loadSource(m: Machine, ops: Int32Array, k: number, size: number, v: OperandValue): boolean {
  const form = cell(ops, k + FIELD.FORM);
  if (form === FORM.R || form === FORM.M) {
    readReg(m, RCX_FIELD, 1, v);
    return true;
  }
  if (form !== FORM.RM) return load(m, ops, k, size, v);
  return effectiveAddress(m, ops, k) && readMemory(m, size, v);
}
