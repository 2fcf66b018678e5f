import { cell } from '../cell.ts';
import { ALL_FLAGS, flagBits, setBits, TAG, wholeTag, ZERO_TEST } from '../flags.ts';
import { FIELD, FORM, NO_REGISTER } from '../instruction.ts';
import type { Machine, OperandValue } from '../machine.ts';
import {
  addressIsKnown,
  effectiveAddress,
  readMemory,
  readReg,
  tagValue,
  writeMemory,
  writeReg,
} from '../operand.ts';
import { CONSTANT, firstVariable, MIXED, UNDEFINED } from '../origin.ts';
import { RBP_FIELD, RSP_FIELD, writeAndNote } from './place.ts';

/**
 * The stack pointer after moving by `bytes`, into `m.y`; false when it is undefined, or variable in a strict
 * run. The stack is always eight bytes wide: the decoder refuses operand-size prefixes.
 */
function stackAddress(m: Machine, bytes: number): boolean {
  const sum = (cell(m.arena, RSP_FIELD) >>> 0) + bytes;
  m.y.lo = sum | 0;
  m.y.hi = (cell(m.arena, RSP_FIELD + 1) + Math.floor(sum / 4294967296)) | 0;
  return addressIsKnown(m, RSP_FIELD, NO_REGISTER);
}

/** Adds to `rsp`, with the carry, in 64 bits; flags and tags stay. */
export function moveStack(m: Machine, bytes: number): void {
  const sum = (cell(m.arena, RSP_FIELD) >>> 0) + bytes;
  m.arena[RSP_FIELD] = sum | 0;
  m.arena[RSP_FIELD + 1] = cell(m.arena, RSP_FIELD + 1) + Math.floor(sum / 4294967296);
}

/**
 * Lowers `rsp`, then stores, so that the store is not below the stack pointer. A fault restores `rsp`:
 * overflowing the stack is a fault of the push itself, with the registers from before. `v` was read already,
 * so that `push %rsp` stores the old value.
 */
export function push(m: Machine, v: OperandValue): boolean {
  if (!stackAddress(m, -8)) return false;
  moveStack(m, -8);
  if (writeMemory(m, 8, v)) return true;
  moveStack(m, 8);
  return false;
}

/** Loads, then raises `rsp`. The word stays in memory below it, where reading is a fault. */
export function pop(m: Machine, v: OperandValue): boolean {
  if (!stackAddress(m, 0) || !readMemory(m, 8, v)) return false;
  moveStack(m, 8);
  return true;
}

/**
 * `pop (mem)` computes its address with the stack pointer already raised, as the SDM says for a base of
 * `rsp`; a fault puts it back. `pop %rsp` ends with the popped value, not the raised pointer.
 */
export function executePop(m: Machine, ops: Int32Array, k: number): boolean {
  if (!pop(m, m.x)) return false;
  if (ops[k + FIELD.FORM] === FORM.M) {
    if (effectiveAddress(m, ops, k) && writeAndNote(m, 8, m.x)) return true;
    moveStack(m, -8);
    return false;
  }
  writeReg(m, cell(ops, k + FIELD.A), 8, m.x);
  return true;
}

/**
 * `mov %rbp, %rsp; pop %rbp` as one instruction: `rsp` is moved first, so that the pop is above it, and put
 * back when the pop faults.
 */
export function executeLeave(m: Machine): boolean {
  const before: OperandValue = { lo: 0, hi: 0, tagLo: 0, tagHi: 0 };
  readReg(m, RSP_FIELD, 8, before);
  readReg(m, RBP_FIELD, 8, m.x);
  writeReg(m, RSP_FIELD, 8, m.x);
  const ok = pop(m, m.x);
  writeReg(m, ok ? RBP_FIELD : RSP_FIELD, 8, ok ? m.x : before);
  return ok;
}

/**
 * The flags image has bit 1, which is always set, and IF: a traced call runs with interrupts on. Its tags are
 * one for all eight bytes, the constant ones included.
 */
export function pushFlags(m: Machine): boolean {
  const tag = wholeTag(m.flags);
  m.x.lo = flagBits(m.flags) | 0x202;
  m.x.hi = 0;
  tagValue(m.x, tag >= ZERO_TEST ? MIXED : tag === CONSTANT || tag === UNDEFINED ? tag : MIXED, 8);
  return push(m, m.x);
}

/**
 * Only the six status flags are taken. IF, DF, TF and the rest of the image are ignored: entry code pops what
 * it pushed.
 */
export function popFlags(m: Machine): boolean {
  if (!pop(m, m.x)) return false;
  setBits(m.flags, m.x.lo & ALL_FLAGS);
  m.flags[TAG] = firstVariable(m.x.tagLo);
  return true;
}
