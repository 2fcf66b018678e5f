/**
 * What an instruction does, apart from how it is encoded: the vocabulary between the decoder, which fills one
 * row of int32 fields for each instruction, and the interpreter, which reads it.
 */

/**
 * Fields of a row. Register fields are register numbers times `REG_STRIDE`, so that they index the register
 * file.
 *
 * Displacement and immediate are sign-extended to two halves by the decoder, as the CPU does, and `rip` is
 * added already: no field depends on where the instruction is.
 */
export const FIELD = {
  LENGTH: 0,
  FAMILY: 1,
  FORM: 2,
  /** Operand size in bytes. */
  SIZE: 3,
  /** Which member of the family: an `ALU`, `SHIFT`, `UNARY`, `TRAP` or condition number. */
  SUB: 4,
  A: 5,
  B: 6,
  BASE: 7,
  INDEX: 8,
  /** The index register is shifted left by this many bits. */
  SCALE: 9,
  DISP_LO: 10,
  DISP_HI: 11,
  IMM_LO: 12,
  IMM_HI: 13,
  /** 1 when the memory operand is relative to the `%gs` base. */
  GS: 14,
  /** Which generation of its region's code was decoded (`memory.ts`); the decoder leaves it alone. */
  GENERATION: 15,
} as const;

/** Numbers in a row. */
export const FIELDS = 16;

/** Numbers in the register file for one register: low half, high half, and the tags of each. */
export const REG_STRIDE = 4;

/** The register field for "none": after the sixteen registers, always zero and constant. */
export const NO_REGISTER = 16 * REG_STRIDE;

/**
 * Instructions that are executed by the same code. The numbers have no gaps (`readings.ts` indexes by them)
 * and no relation to opcodes. EXTEND is MOVZX, MOVSX and MOVSXD, and keeps the size of its destination in
 * IMM_LO, SIZE being that of its source.
 */
export const FAMILY = {
  MOV: 0,
  ALU: 1,
  TEST: 2,
  LEA: 3,
  PUSH: 4,
  POP: 5,
  SHIFT: 6,
  UNARY: 7,
  EXTEND: 8,
  MULTIPLY: 9,
  MULTIPLY_WIDE: 10,
  EXCHANGE: 11,
  CMOV: 12,
  SETCC: 13,
  BYTE_SWAP: 14,
  CONVERT: 15,
  CALL: 16,
  JUMP: 17,
  RETURN: 18,
  PUSH_FLAGS: 19,
  POP_FLAGS: 20,
  TRAP: 21,
  NOP: 22,
  JCC: 23,
  LEAVE: 24,
} as const;

/** Where the operands are, destination first: `R` register, `M` memory, `I` immediate. */
export const FORM = {
  NONE: 0,
  RR: 1,
  RM: 2,
  MR: 3,
  RI: 4,
  MI: 5,
  R: 6,
  M: 7,
  I: 8,
  RRI: 9,
  RMI: 10,
} as const;

/** The eight classic operations, by their number in the opcode (`op >> 3`, or ModRM.reg of 80/81/83). */
export const ALU = { ADD: 0, OR: 1, ADC: 2, SBB: 3, AND: 4, SUB: 5, XOR: 6, CMP: 7 } as const;

/** Shifts and rotates by ModRM.reg of C0/C1/D0–D3. 6 is an undocumented alias of SHL and is not accepted. */
export const SHIFT = { ROL: 0, ROR: 1, RCL: 2, RCR: 3, SHL: 4, SHR: 5, SAR: 7 } as const;

/** One-operand arithmetic: NOT and NEG by ModRM.reg of F6/F7. */
export const UNARY = { NOT: 2, NEG: 3, INC: 8, DEC: 9 } as const;

/** Conditions by the low four bits of Jcc, SETcc and CMOVcc; an odd number negates the one before. */
export const CONDITION = { O: 0, B: 2, E: 4, BE: 6, S: 8, P: 10, L: 12, LE: 14 } as const;

/** Instructions that stop a run on purpose. */
export const TRAP = { INT3: 3, UD2: 6 } as const;

/** CMP and TEST write no destination. */
export function writesDestination(family: number, sub: number): boolean {
  return family !== FAMILY.TEST && !(family === FAMILY.ALU && sub === ALU.CMP);
}
