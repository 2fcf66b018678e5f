import { cell } from './cell.ts';
import { ALU, FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from './instruction.ts';
import { RSP } from './register.ts';
import { OP, ROW } from './row.ts';

/** Only the adjustment of the stack pointer has a short form among additions. */
const RSP_FIELD = RSP * REG_STRIDE;

/**
 * Zero and -2^31: ADJUST distinguishes `add` from `sub` by the sign of what is added, and these two are their
 * own negatives as int32.
 */
export function isOwnNegative(value: number): boolean {
  return (-value | 0) === value;
}

/**
 * Writes the short form of a decoded instruction (fields `d` from `offset`) to the row at `k`; its execution
 * is the same. `end` and `hi` are the address after the instruction, which a call pushes.
 *
 * Fields that a form does not use hold numbers of no meaning.
 */
export function shortFromFields(
  d: Int32Array,
  offset: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): void {
  const op = shortForm(d, offset);
  M[k] = op;
  M[k + ROW.A] = cell(d, offset + FIELD.A);
  M[k + ROW.B] = cell(d, offset + FIELD.B);
  M[k + ROW.X] = cell(d, offset + FIELD.IMM_LO);
  M[k + ROW.Y] = cell(d, offset + FIELD.IMM_HI);
  if (op === OP.CALL) {
    M[k + ROW.X] = end;
    M[k + ROW.Y] = hi;
    // The immediate is sign-extended in the fields, and a 32-bit move zero-extends it.
  } else if (op === OP.MOV_RI && d[offset + FIELD.SIZE] === 4) M[k + ROW.Y] = 0;
  else if (op === OP.JZ) M[k + ROW.A] = cell(d, offset + FIELD.SUB);
  else if (op === OP.ADJUST) {
    M[k + ROW.Y] = cell(d, offset + FIELD.IMM_LO);
    if (d[offset + FIELD.SUB] === ALU.SUB) M[k + ROW.X] = -cell(d, offset + FIELD.IMM_LO);
  } else if (op === OP.LOAD || op === OP.STORE || op === OP.STORE_I || op === OP.LEA) {
    M[k + ROW.A] = cell(d, offset + (op === OP.STORE ? FIELD.B : FIELD.A));
    M[k + ROW.B] = cell(d, offset + FIELD.BASE);
    M[k + ROW.X] = cell(d, offset + FIELD.DISP_LO);
    M[k + ROW.Y] = cell(d, offset + FIELD.IMM_LO);
  }
}

/**
 * The form of a decoded instruction; GENERIC for all that the loop has no case for. `xor r32, r32` counts as
 * well as the 64-bit one: both clear all eight bytes. Everything else but a move of a constant is eight bytes
 * wide.
 */
function shortForm(d: Int32Array, offset: number): number {
  const family = cell(d, offset + FIELD.FAMILY);
  const form = cell(d, offset + FIELD.FORM);
  const size = cell(d, offset + FIELD.SIZE);
  const same = form === FORM.RR && d[offset + FIELD.A] === d[offset + FIELD.B];
  if (family === FAMILY.NOP) return OP.NOP;
  if (family === FAMILY.MOV && form === FORM.RI && size >= 4) return OP.MOV_RI;
  if (same && size >= 4 && family === FAMILY.ALU && d[offset + FIELD.SUB] === ALU.XOR) return OP.ZERO;
  if (size !== 8) return OP.GENERIC;
  if (family === FAMILY.MOV && form === FORM.RR) return OP.MOV_RR;
  if (family === FAMILY.TEST && same) return OP.TEST_SELF;
  if (family === FAMILY.ALU && form === FORM.RI) return adjustsStack(d, offset) ? OP.ADJUST : OP.GENERIC;
  // Conditions 4 and 5, `je` and `jne`: the others need more flags than ZF.
  if (family === FAMILY.JCC) return (cell(d, offset + FIELD.SUB) & 14) === 4 ? OP.JZ : OP.GENERIC;
  return form === FORM.R || form === FORM.I || form === FORM.NONE
    ? controlForm(family, form)
    : memoryForm(d, offset);
}

/** `add $n, %rsp` and `sub $n, %rsp`. Aligning the stack (`and`) is generic. */
function adjustsStack(d: Int32Array, offset: number): boolean {
  const sub = cell(d, offset + FIELD.SUB);
  const moves = sub === ALU.ADD || sub === ALU.SUB;
  return moves && d[offset + FIELD.A] === RSP_FIELD && !isOwnNegative(cell(d, offset + FIELD.IMM_LO));
}

/**
 * Direct branches, and pushes and pops of a register. Indirect branches (FORM.R, FORM.M) have a target of
 * unknown origin, `ret $n` moves the stack further, and immediates are pushed by few: those are generic.
 */
function controlForm(family: number, form: number): number {
  if (form === FORM.R && family === FAMILY.PUSH) return OP.PUSH;
  if (form === FORM.R && family === FAMILY.POP) return OP.POP;
  if (form === FORM.I && family === FAMILY.CALL) return OP.CALL;
  if (form === FORM.I && family === FAMILY.JUMP) return OP.JUMP;
  if (form === FORM.NONE && family === FAMILY.RETURN) return OP.RETURN;
  return form === FORM.NONE && family === FAMILY.LEAVE ? OP.LEAVE : OP.GENERIC;
}

/**
 * Eight bytes at base plus displacement, without index or segment. A RIP-relative operand has the register
 * that is always zero as its base; its absolute address is short where the sign-extended low half is the
 * whole, as for kernel text.
 */
function memoryForm(d: Int32Array, offset: number): number {
  const family = cell(d, offset + FIELD.FAMILY);
  const form = cell(d, offset + FIELD.FORM);
  const simple = d[offset + FIELD.INDEX] === NO_REGISTER && d[offset + FIELD.GS] === 0;
  if (!simple || d[offset + FIELD.DISP_HI] !== cell(d, offset + FIELD.DISP_LO) >> 31) return OP.GENERIC;
  if (family === FAMILY.LEA) return OP.LEA;
  if (family !== FAMILY.MOV) return OP.GENERIC;
  return form === FORM.RM ? OP.LOAD : form === FORM.MR ? OP.STORE : OP.STORE_I;
}
