/**
 * What an instruction does, apart from how it is encoded: the vocabulary between the decoder and the
 * interpreter. An instruction is a row of int32 fields (`Field` in `execute.ts`); these are the values that
 * stand in its `family`, `form` and `sub` fields.
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

/** Where the operands are: destination first. `R` register, `M` memory, `I` immediate. */
export const FORM = { NONE: 0, RR: 1, RM: 2, MR: 3, RI: 4, MI: 5, R: 6, M: 7, I: 8, RRI: 9, RMI: 10 } as const;

/** The eight classic operations, by their number in the opcode (`op >> 3`, or ModRM.reg of 80/81/83). */
export const ALU = { ADD: 0, OR: 1, ADC: 2, SBB: 3, AND: 4, SUB: 5, XOR: 6, CMP: 7 } as const;

/** Shifts and rotates by ModRM.reg of C0/C1/D0–D3. 6 is an undocumented alias of SHL and is not accepted. */
export const SHIFT = { ROL: 0, ROR: 1, RCL: 2, RCR: 3, SHL: 4, SHR: 5, SAR: 7 } as const;

/** One-operand arithmetic. */
export const UNARY = { NOT: 2, NEG: 3, INC: 8, DEC: 9 } as const;

/** Conditions by the low four bits of Jcc, SETcc and CMOVcc. */
export const CONDITION = {
  O: 0,
  NO: 1,
  B: 2,
  AE: 3,
  E: 4,
  NE: 5,
  BE: 6,
  A: 7,
  S: 8,
  NS: 9,
  P: 10,
  NP: 11,
  L: 12,
  GE: 13,
  LE: 14,
  G: 15,
} as const;

/** Kinds of instruction that stop a run on purpose. */
export const TRAP = { INT3: 3, UD2: 6 } as const;
