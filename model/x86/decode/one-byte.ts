import { cell } from '../cell.ts';
import { FAMILY, FIELD, FORM, TRAP } from '../instruction.ts';
import type { Cursor } from './cursor.ts';
import { immediate, immediateBytes, operandSize, set, take, takeInt8, takeInt32 } from './cursor.ts';
import {
  decodeGroup1,
  decodeGroup1a,
  decodeGroup3,
  decodeGroup11,
  decodeGroup45,
  decodeShift,
} from './group.ts';
import { modrmExtend, modrmPair, opcodeRegister } from './modrm.ts';

/**
 * The one-byte opcode map. One switch on purpose: it reads like the map in the CPU's manual (SDM vol. 2D,
 * table A-2).
 *
 * Refused, like everything that is not listed: what is #UD in 64-bit mode (`push %cs`, `daa`, BOUND …),
 * string instructions, I/O, far transfers, `int`, `enter`, x87, VEX and EVEX, flag instructions (`cli`,
 * `std`, `stc` …) and port or privileged ones. 40-4F never get here: they are REX.
 */
export function decodeOneByte(d: Cursor, opcode: number): void {
  // Bits 5:3 are the operation, bits 2:0 the form.
  if (opcode < 0x40 && (opcode & 7) < 6) return decodeAlu(d, opcode);
  if (opcode >= 0x50 && opcode <= 0x5f) return decodePushPop(d, opcode);
  if (opcode >= 0x70 && opcode <= 0x7f) return decodeBranch(d, FAMILY.JCC, opcode & 15, takeInt8(d));
  if (opcode >= 0x91 && opcode <= 0x97) return decodeExchangeRax(d, opcode);
  if (opcode >= 0xb0 && opcode <= 0xbf) return decodeMovImmediate(d, opcode);
  const size = operandSize(d);
  switch (opcode) {
    // MOVSXD; without REX.W a zero-extending move of four bytes, with 66 a move of two.
    case 0x63:
      return modrmExtend(d, Math.min(4, size), 1);
    // Pushes eight bytes: the immediate is sign-extended.
    case 0x68:
      setStack(d, FAMILY.PUSH, FORM.I);
      return immediate(d, 4);
    case 0x6a:
      setStack(d, FAMILY.PUSH, FORM.I);
      return immediate(d, 1);
    case 0x69:
    case 0x6b:
      return decodeMultiplyImmediate(d, opcode, size);
    case 0x80:
    case 0x81:
    case 0x83:
      return decodeGroup1(d, opcode);
    // Bit 0 of most opcodes decides between one byte and the operand size.
    case 0x84:
    case 0x85:
      return modrmPair(d, FAMILY.TEST, opcode & 1 ? size : 1, 0, false);
    case 0x86:
    case 0x87:
      return modrmPair(d, FAMILY.EXCHANGE, opcode & 1 ? size : 1, 0, false);
    case 0x88:
    case 0x89:
      return modrmPair(d, FAMILY.MOV, opcode & 1 ? size : 1, 0, false);
    case 0x8a:
    case 0x8b:
      return modrmPair(d, FAMILY.MOV, opcode & 1 ? size : 1, 0, true);
    case 0x8d:
      return decodeLea(d, size);
    case 0x8f:
      return decodeGroup1a(d);
    // 90 is `xchg %eax, %eax` and a NOP, which does not clear bits 63:32; with REX.B it exchanges r8, with F3
    // it is `pause`.
    case 0x90:
      return d.repeat !== 0xf3 && (d.rex & 1) !== 0
        ? decodeExchangeRax(d, opcode)
        : set(d, FAMILY.NOP, FORM.NONE, size);
    case 0x98:
    case 0x99:
      return set(d, FAMILY.CONVERT, FORM.NONE, size, opcode & 1);
    case 0x9c:
      return setStack(d, FAMILY.PUSH_FLAGS, FORM.NONE);
    case 0x9d:
      return setStack(d, FAMILY.POP_FLAGS, FORM.NONE);
    // The accumulator's short forms of `test`.
    case 0xa8:
    case 0xa9:
      return decodeAccumulator(d, FAMILY.TEST, opcode & 1 ? size : 1, 0);
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
      return decodeShift(d, opcode);
    case 0xc2:
      setStack(d, FAMILY.RETURN, FORM.I);
      d.ops[d.k + FIELD.IMM_LO] = take(d) | (take(d) << 8);
      return;
    // Also with a prefix F3, as in `rep ret`.
    case 0xc3:
      return setStack(d, FAMILY.RETURN, FORM.NONE);
    case 0xc6:
    case 0xc7:
      return decodeGroup11(d, opcode & 1 ? size : 1);
    // `leave`; `enter` (C8) is not modelled.
    case 0xc9:
      return setStack(d, FAMILY.LEAVE, FORM.NONE);
    case 0xcc:
      return set(d, FAMILY.TRAP, FORM.NONE, 8, TRAP.INT3);
    // Displacements are 32 bits at any operand size; with 66 CPUs of Intel and AMD differ, and it is refused.
    case 0xe8:
      return decodeBranch(d, FAMILY.CALL, 0, takeInt32(d));
    case 0xe9:
      return decodeBranch(d, FAMILY.JUMP, 0, takeInt32(d));
    case 0xeb:
      return decodeBranch(d, FAMILY.JUMP, 0, takeInt8(d));
    case 0xf6:
    case 0xf7:
      return decodeGroup3(d, opcode & 1 ? size : 1);
    case 0xfe:
    case 0xff:
      return decodeGroup45(d, opcode);
    default:
      d.failed = true;
  }
}

/**
 * Forms 0-3 have a ModRM byte: `r/m, r` for 0 and 1, `r, r/m` for 2 and 3. Forms 4 and 5 are the accumulator
 * and an immediate.
 */
function decodeAlu(d: Cursor, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const kind = opcode >> 3;
  const form = opcode & 7;
  if (form >= 4) return decodeAccumulator(d, FAMILY.ALU, size, kind);
  modrmPair(d, FAMILY.ALU, size, kind, form >= 2);
}

/** The short forms `op $imm, %al` and `op $imm, %eax`. */
function decodeAccumulator(d: Cursor, family: number, size: number, sub: number): void {
  set(d, family, FORM.RI, size, sub);
  immediate(d, immediateBytes(size));
}

/**
 * Instructions that move the stack pointer do so by eight bytes, without REX.W; with an operand-size prefix
 * it would be two, which is refused.
 */
function setStack(d: Cursor, family: number, form: number): void {
  if (d.operand16) d.failed = true;
  set(d, family, form, 8);
}

/** 50+r and 58+r. */
function decodePushPop(d: Cursor, opcode: number): void {
  setStack(d, opcode < 0x58 ? FAMILY.PUSH : FAMILY.POP, FORM.R);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, 8);
}

/** 91-97, and 90 with REX.B. Field A is zero, which is `rax`. At 32 bits both registers are zero-extended. */
function decodeExchangeRax(d: Cursor, opcode: number): void {
  set(d, FAMILY.EXCHANGE, FORM.RR, operandSize(d));
  d.ops[d.k + FIELD.B] = opcodeRegister(d, opcode, 8);
}

/** B0+r one byte; B8+r the operand size, with REX.W all eight bytes, the only immediate that is so long. */
function decodeMovImmediate(d: Cursor, opcode: number): void {
  const size = opcode < 0xb8 ? 1 : operandSize(d);
  set(d, FAMILY.MOV, FORM.RI, size);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, size);
  if (size !== 8) return immediate(d, size);
  d.ops[d.k + FIELD.IMM_LO] = takeInt32(d);
  d.ops[d.k + FIELD.IMM_HI] = takeInt32(d);
}

/**
 * 69 and 6B: three operands, so that RR and RM become RRI and RMI. The immediate of 6B is one byte,
 * sign-extended.
 */
function decodeMultiplyImmediate(d: Cursor, opcode: number, size: number): void {
  modrmPair(d, FAMILY.MULTIPLY, size, 0, true);
  const form = cell(d.ops, d.k + FIELD.FORM);
  d.ops[d.k + FIELD.FORM] = form === FORM.RR ? FORM.RRI : FORM.RMI;
  immediate(d, opcode === 0x6b ? 1 : immediateBytes(size));
}

/** An address is computed, nothing is accessed: a segment prefix has no meaning. A register operand is #UD. */
function decodeLea(d: Cursor, size: number): void {
  modrmPair(d, FAMILY.LEA, size, 0, true);
  d.ops[d.k + FIELD.GS] = 0;
  if (d.ops[d.k + FIELD.FORM] !== FORM.RM) d.failed = true;
}

/**
 * A relative branch; the displacement becomes an absolute target once the length is known. Branches are 64
 * bits wide at any REX.W.
 */
export function decodeBranch(d: Cursor, family: number, condition: number, displacement: number): void {
  if (d.operand16) d.failed = true;
  set(d, family, FORM.I, 8, condition);
  d.ops[d.k + FIELD.IMM_LO] = displacement;
  d.ops[d.k + FIELD.IMM_HI] = displacement >> 31;
}
