import { alu, test, unary } from '../alu.ts';
import { cell } from '../cell.ts';
import { ALU, FAMILY, FIELD, FORM, writesDestination } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import { multiply, multiplyWide } from '../multiply.ts';
import { lowMask, readImmediate, readReg, tagValue, writeReg } from '../operand.ts';
import { CONSTANT, CONSTANT4, MIXED, tagAt, UNDEFINED } from '../origin.ts';
import { shift } from '../shift.ts';
import { executeByteSwap, executeCmov, executeExchange, executeSetcc } from './move.ts';
import {
  load,
  loadDestination,
  loadForUpdate,
  loadSource,
  RAX_FIELD,
  RDX_FIELD,
  storeDestination,
} from './place.ts';

/**
 * Everything that computes: reads its destination, changes it, writes it back. The order is that of faults:
 * all operands are read, and a destination in memory is checked for writing, before a flag changes.
 */
export function executeArithmetic(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const sub = cell(ops, k + FIELD.SUB);
  switch (ops[k + FIELD.FAMILY]) {
    case FAMILY.ALU:
    case FAMILY.TEST:
    case FAMILY.SHIFT:
      return executeBinary(m, ops, k, size, sub);
    case FAMILY.UNARY:
      if (!loadForUpdate(m, ops, k, size, m.x)) return false;
      unary(m, sub, size, m.x);
      return storeDestination(m, ops, k, size, m.x);
    case FAMILY.EXTEND:
      return executeExtend(m, ops, k, size, sub);
    case FAMILY.MULTIPLY:
      return executeMultiply(m, ops, k, size);
    case FAMILY.MULTIPLY_WIDE:
      return executeMultiplyWide(m, ops, k, size, sub);
    case FAMILY.EXCHANGE:
      return executeExchange(m, ops, k, size);
    case FAMILY.CMOV:
      return executeCmov(m, ops, k, size, sub);
    case FAMILY.SETCC:
      return executeSetcc(m, ops, k, sub);
    case FAMILY.BYTE_SWAP:
      return executeByteSwap(m, ops, k, size);
    case FAMILY.CONVERT:
      return executeConvert(m, size, sub);
    default:
      throw new Error(`no execution for instruction family ${ops[k + FIELD.FAMILY]}`);
  }
}

/**
 * The two-operand instructions. `m.x` holds the destination, `m.y` its address; the source has an object of
 * its own.
 */
function executeBinary(m: Machine, ops: Int32Array, k: number, size: number, sub: number): boolean {
  const family = cell(ops, k + FIELD.FAMILY);
  const writes = writesDestination(family, sub);
  if (!(writes ? loadForUpdate : loadDestination)(m, ops, k, size, m.x)) return false;
  const source: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  // A count is one byte, `%cl` or an immediate, at any operand size.
  if (!loadSource(m, ops, k, family === FAMILY.SHIFT ? 1 : size, source)) return false;
  const same = ops[k + FIELD.FORM] === FORM.RR && ops[k + FIELD.A] === ops[k + FIELD.B];
  if (same && family === FAMILY.ALU && (sub === ALU.XOR || sub === ALU.SUB)) clearTags(m.x, source);
  if (family === FAMILY.ALU) alu(m, sub, size, m.x, source);
  else if (family === FAMILY.TEST) test(m, size, m.x, source, same);
  else shift(m, sub, size, m.x, source);
  return !writes || storeDestination(m, ops, k, size, m.x);
}

/**
 * `xor r,r` and `sub r,r` are zero whatever the register held, an undefined value included. `sbb r,r` is not
 * among them: it depends on the carry.
 */
function clearTags(a: OperandValue, b: OperandValue): void {
  a.tagLo = a.tagHi = b.tagLo = b.tagHi = CONSTANT4;
}

/**
 * MOVZX, MOVSX and MOVSXD: `from` bytes to a register of IMM_LO bytes. A zero extension to 16 bits keeps the
 * rest of the register, to 32 it clears it. No flag changes.
 */
function executeExtend(m: Machine, ops: Int32Array, k: number, from: number, signed: number): boolean {
  if (!load(m, ops, k, from, m.x)) return false;
  const size = cell(ops, k + FIELD.IMM_LO);
  // MOVSXD without REX.W copies four bytes to four: nothing is extended.
  if (signed === 1 && from < size) signExtend(m.x, from);
  writeReg(m, cell(ops, k + FIELD.A), size, m.x);
  return true;
}

/**
 * Copies the sign of a value of 1, 2 or 4 bytes upward, through all eight; `writeReg()` cuts off what the
 * destination has not. The new bytes are constant only if the byte with the sign is; a copied sign bit is no
 * byte of its group, so that they are MIXED otherwise.
 */
function signExtend(v: OperandValue, from: number): void {
  const shift = 32 - from * 8;
  v.lo = (v.lo << shift) >> shift;
  v.hi = v.lo >> 31;
  const top = tagAt(v.tagLo, from - 1);
  const derived = top === CONSTANT || top === UNDEFINED ? top : MIXED;
  const mask = lowMask(from);
  v.tagLo = (v.tagLo & mask) | ((derived * 0x01010101) & ~mask);
  v.tagHi = derived * 0x01010101;
}

/**
 * IMUL with two operands (`reg *= source`) or three (`reg := source * immediate`). The destination is always
 * a register.
 */
function executeMultiply(m: Machine, ops: Int32Array, k: number, size: number): boolean {
  const form = cell(ops, k + FIELD.FORM);
  if (!load(m, ops, k, size, m.x)) return false;
  if (form === FORM.RRI) readReg(m, cell(ops, k + FIELD.B), size, m.x);
  const factor: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  if (form === FORM.RRI || form === FORM.RMI) readImmediate(ops, k, size, factor);
  else readReg(m, cell(ops, k + FIELD.A), size, factor);
  multiply(m, size, m.x, factor);
  writeReg(m, cell(ops, k + FIELD.A), size, m.x);
  return true;
}

/**
 * MUL (F6/F7 /4) and IMUL (/5) of the accumulator. Results go to `ax` for bytes, else to `rdx:rax` at the
 * operand's width; 32-bit halves clear the upper halves of both registers.
 */
function executeMultiplyWide(m: Machine, ops: Int32Array, k: number, size: number, sub: number): boolean {
  if (!load(m, ops, k, size, m.x)) return false;
  const low: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  const high: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, RAX_FIELD, size, low);
  multiplyWide(m, sub === 5, size, low, m.x, high);
  if (size === 1) {
    // `ah:al` is one 16-bit register; the upper six bytes of `rax` stay.
    low.lo |= high.lo << 8;
    low.tagLo = (low.tagLo & 0xff) | ((high.tagLo & 0xff) << 8) | (CONSTANT4 & ~0xffff);
    writeReg(m, RAX_FIELD, 2, low);
    return true;
  }
  writeReg(m, RAX_FIELD, size, low);
  writeReg(m, RDX_FIELD, size, high);
  return true;
}

/**
 * 98: CBW, CWDE and CDQE widen the accumulator to `size` bytes, from half of them. 99: CWD, CDQ and CQO
 * spread its sign into `rdx`, at `size` bytes. No flag changes.
 */
function executeConvert(m: Machine, size: number, spread: number): boolean {
  readReg(m, RAX_FIELD, spread ? size : size / 2, m.x);
  const from = spread ? size : size / 2;
  const value: OperandValue = { ...m.x };
  if (from < 8) signExtend(value, from);
  if (!spread) {
    writeReg(m, RAX_FIELD, size, value);
    return true;
  }
  // The half with the sign: of eight bytes the upper one, of fewer the value that was sign-extended.
  const top = size === 8 ? m.x.hi : value.lo;
  const tag = tagAt(size === 8 ? m.x.tagHi : m.x.tagLo, size === 8 ? 3 : size - 1);
  const sign: OperandValue = { lo: top >> 31, hi: top >> 31, tagLo: 0, tagHi: 0 };
  tagValue(sign, tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, size);
  writeReg(m, RDX_FIELD, size, sign);
  return true;
}
