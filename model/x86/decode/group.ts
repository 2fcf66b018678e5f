import { FAMILY, FIELD, FORM, SHIFT, UNARY } from '../instruction.ts';
import type { Cursor } from './cursor.ts';
import { immediateBytes, operandSize, take } from './cursor.ts';
import { isRegister, modrmImmediate, modrmSingle } from './modrm.ts';

/**
 * 80, 81, 83: an ALU operation by ModRM.reg, with an immediate; that of 83 is one byte, sign-extended to the
 * operand's size, also for the logical ones. 82, the alias of 80, is #UD in 64-bit mode.
 */
export function decodeGroup1(d: Cursor, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const modrm = take(d);
  modrmImmediate(d, modrm, FAMILY.ALU, size, (modrm >> 3) & 7, opcode === 0x81 ? immediateBytes(size) : 1);
}

/** 8F /0: `pop` to a register or memory; the other members are XOP and not modelled. */
export function decodeGroup1a(d: Cursor): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0 || d.operand16) d.failed = true;
  modrmSingle(d, modrm, FAMILY.POP, 8);
}

/**
 * C0, C1 by an immediate, D0, D1 by one, D2, D3 by `%cl`. Rotates through carry are not modelled, nor is /6,
 * which CPUs take for SHL and the SDM does not list. Without an immediate the form stays R or M, which means
 * `%cl`.
 */
export function decodeShift(d: Cursor, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const modrm = take(d);
  const kind = (modrm >> 3) & 7;
  if (kind === 6 || kind === SHIFT.RCL || kind === SHIFT.RCR) d.failed = true;
  modrmSingle(d, modrm, FAMILY.SHIFT, size, kind);
  if (opcode >= 0xd2) return;
  d.ops[d.k + FIELD.FORM] = isRegister(modrm) ? FORM.RI : FORM.MI;
  d.ops[d.k + FIELD.IMM_LO] = opcode >= 0xd0 ? 1 : take(d);
}

/** C6, C7 /0: `mov` of an immediate; C7 /7 (XBEGIN) and C6 /7 (XABORT) are not modelled. */
export function decodeGroup11(d: Cursor, size: number): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0) d.failed = true;
  modrmImmediate(d, modrm, FAMILY.MOV, size, 0, immediateBytes(size));
}

/**
 * F6, F7: `test` with an immediate, `not`, `neg`, `mul`, `imul`. Division (/6, /7), which can fault, and /1,
 * the alias of `test`, are not modelled.
 */
export function decodeGroup3(d: Cursor, size: number): void {
  const modrm = take(d);
  const kind = (modrm >> 3) & 7;
  if (kind === 0) return modrmImmediate(d, modrm, FAMILY.TEST, size, 0, immediateBytes(size));
  if (kind === 2) return modrmSingle(d, modrm, FAMILY.UNARY, size, UNARY.NOT);
  if (kind === 3) return modrmSingle(d, modrm, FAMILY.UNARY, size, UNARY.NEG);
  if (kind === 4 || kind === 5) return modrmSingle(d, modrm, FAMILY.MULTIPLY_WIDE, size, kind);
  d.failed = true;
}

/**
 * FE, FF: `inc`, `dec`, and with FF indirect calls, jumps and `push`, eight bytes wide without REX.W. Far
 * calls and jumps (/3, /5) are not modelled.
 */
export function decodeGroup45(d: Cursor, opcode: number): void {
  const modrm = take(d);
  const kind = (modrm >> 3) & 7;
  const size = opcode & 1 ? operandSize(d) : 1;
  if (kind < 2) return modrmSingle(d, modrm, FAMILY.UNARY, size, kind === 0 ? UNARY.INC : UNARY.DEC);
  if (opcode === 0xfe || d.operand16) d.failed = true;
  if (kind === 2) return modrmSingle(d, modrm, FAMILY.CALL, 8);
  if (kind === 4) return modrmSingle(d, modrm, FAMILY.JUMP, 8);
  if (kind === 6) return modrmSingle(d, modrm, FAMILY.PUSH, 8);
  d.failed = true;
}
