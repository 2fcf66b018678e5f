import { cell } from './cell.ts';
import { ALU, FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from './instruction.ts';
import { RSP } from './register.ts';
import { OP, ROW } from './row.ts';

const RSP_FIELD = RSP * REG_STRIDE;

/** Zero and −2^31: to add one of them looks like subtracting it. */
export function isOwnNegative(value: number): boolean {
  return (-value | 0) === value;
}

/** Writes the short form of a decoded instruction (fields `d` from `at`); its execution is the same. */
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
  if (family === FAMILY.JCC) return (cell(d, offset + FIELD.SUB) & 14) === 4 ? OP.JZ : OP.GENERIC;
  return form === FORM.R || form === FORM.I || form === FORM.NONE
    ? controlForm(family, form)
    : memoryForm(d, offset);
}

/** `add $n, %rsp` and `sub $n, %rsp`. */
function adjustsStack(d: Int32Array, offset: number): boolean {
  const sub = cell(d, offset + FIELD.SUB);
  const moves = sub === ALU.ADD || sub === ALU.SUB;
  return moves && d[offset + FIELD.A] === RSP_FIELD && !isOwnNegative(cell(d, offset + FIELD.IMM_LO));
}

function controlForm(family: number, form: number): number {
  if (form === FORM.R && family === FAMILY.PUSH) return OP.PUSH;
  if (form === FORM.R && family === FAMILY.POP) return OP.POP;
  if (form === FORM.I && family === FAMILY.CALL) return OP.CALL;
  if (form === FORM.I && family === FAMILY.JUMP) return OP.JUMP;
  if (form === FORM.NONE && family === FAMILY.RETURN) return OP.RETURN;
  return form === FORM.NONE && family === FAMILY.LEAVE ? OP.LEAVE : OP.GENERIC;
}

/** Eight bytes at base plus displacement, without index or segment. */
function memoryForm(d: Int32Array, offset: number): number {
  const family = cell(d, offset + FIELD.FAMILY);
  const form = cell(d, offset + FIELD.FORM);
  const simple = d[offset + FIELD.INDEX] === NO_REGISTER && d[offset + FIELD.GS] === 0;
  if (!simple || d[offset + FIELD.DISP_HI] !== cell(d, offset + FIELD.DISP_LO) >> 31) return OP.GENERIC;
  if (family === FAMILY.LEA) return OP.LEA;
  if (family !== FAMILY.MOV) return OP.GENERIC;
  return form === FORM.RM ? OP.LOAD : form === FORM.MR ? OP.STORE : OP.STORE_I;
}
