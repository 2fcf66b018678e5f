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

/** The source operand (the only one of PUSH) into `v`. */
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

/** Writes `v` to the destination of a move. */
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

/** The same for an instruction that will write it back: a fault comes before any flag has changed. */
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
