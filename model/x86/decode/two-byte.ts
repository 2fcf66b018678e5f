import { FAMILY, FIELD, FORM, TRAP } from '../instruction.ts';
import type { Cursor } from './cursor.ts';
import { operandSize, set, take, takeInt32 } from './cursor.ts';
import { isRegister, memoryOperand, modrmExtend, modrmPair, modrmSingle, opcodeRegister } from './modrm.ts';
import { decodeBranch } from './one-byte.ts';

/**
 * The opcodes after 0F. Condition codes are their low four bits, as in 70-7F. Refused are SSE and all of 0F
 * 38 and 0F 3A, `syscall`, `cpuid`, `rdtsc`, MSRs, control registers, bit tests, double shifts, CMPXCHG,
 * XADD, UD0 and UD1.
 */
export function decodeTwoByte(d: Cursor, opcode: number): void {
  const size = operandSize(d);
  if (opcode >= 0x40 && opcode <= 0x4f) return modrmPair(d, FAMILY.CMOV, size, opcode & 15, true);
  if (opcode >= 0x80 && opcode <= 0x8f) return decodeBranch(d, FAMILY.JCC, opcode & 15, takeInt32(d));
  if (opcode >= 0x90 && opcode <= 0x9f) return modrmSingle(d, take(d), FAMILY.SETCC, 1, opcode & 15);
  if (opcode >= 0xc8 && opcode <= 0xcf) return decodeByteSwap(d, opcode, size);
  switch (opcode) {
    case 0x0b:
      return set(d, FAMILY.TRAP, FORM.NONE, 8, TRAP.UD2);
    case 0x1e:
      return decodeEndbr(d);
    case 0x1f:
      return decodeLongNop(d, size);
    case 0xae:
      return decodeFence(d);
    case 0xaf:
      return modrmPair(d, FAMILY.MULTIPLY, size, 0, true);
    // MOVZX (B6, B7) and MOVSX (BE, BF), from one byte or two.
    case 0xb6:
    case 0xb7:
      return modrmExtend(d, opcode & 1 ? 2 : 1, 0);
    case 0xbe:
    case 0xbf:
      return modrmExtend(d, opcode & 1 ? 2 : 1, 1);
    default:
      d.failed = true;
  }
}

/** BSWAP, 0F C8+r. Its result at two bytes is undefined. */
function decodeByteSwap(d: Cursor, opcode: number, size: number): void {
  if (size === 2) d.failed = true;
  set(d, FAMILY.BYTE_SWAP, FORM.R, size);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, 8);
}

/**
 * `endbr64` (F3 0F 1E FA) does nothing here: IBT is not modelled, an indirect branch to other code is no
 * fault. Other forms of 0F 1E, `rdsspq` among them, are not modelled.
 */
function decodeEndbr(d: Cursor): void {
  if (d.repeat !== 0xf3 || take(d) !== 0xfa) d.failed = true;
  set(d, FAMILY.NOP, FORM.NONE, 8);
}

/**
 * 0F 1F /0, at any length; the operand is decoded for its length and never touched, so that its address may
 * be anything.
 */
function decodeLongNop(d: Cursor, size: number): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0) d.failed = true;
  if (!isRegister(modrm)) memoryOperand(d, modrm);
  set(d, FAMILY.NOP, FORM.NONE, size);
}

/**
 * `lfence` (0F AE E8) of the AMD retpoline orders speculation only, which is not modelled; the other members
 * of 0F AE, `mfence` and `sfence` included, are refused.
 */
function decodeFence(d: Cursor): void {
  if (d.repeat !== 0 || d.operand16 || take(d) !== 0xe8) d.failed = true;
  set(d, FAMILY.NOP, FORM.NONE, 8);
}
