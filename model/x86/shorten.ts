import { ALU, FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from './instruction.ts';
import { RSP } from './register.ts';
import { OP, ROW } from './row.ts';

const RSP_FIELD = RSP * REG_STRIDE;

/**
 * Reads one instruction in its short form straight from the bytes, for the encodings that the BPF JIT and our
 * assembler produce. Returns its length, or 0 when `decode()` has to look at it. Fields of the row that the
 * instruction does not use are left as they are; PLACE and the links are the caller's.
 */
export function shortFromBytes(
  bytes: Uint8Array,
  at: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): number {
  let p = at;
  let rex = bytes[p]!;
  if ((rex & 0xf0) === 0x40) p++;
  else rex = 0;
  const opcode = bytes[p]!;
  const wide = (rex & 8) !== 0;
  if (wide && (opcode === 0x89 || opcode === 0x8b || opcode === 0x8d))
    return shortMove(bytes, at, p, rex, M, k);
  if ((opcode & 0xf8) === 0xb8) return shortConstant(bytes, at, p, rex, M, k);
  if ((opcode & 0xf0) === 0x50 && rex < 0x48) {
    M[k] = opcode < 0x58 ? OP.PUSH : OP.POP;
    M[k + ROW.A] = ((opcode & 7) | ((rex & 1) << 3)) * REG_STRIDE;
    return p + 1 - at;
  }
  if (rex === 0x48) return shortArithmetic(bytes, at, M, k);
  if (rex !== 0) return 0;
  return shortPlain(bytes, at, opcode, M, k, end, hi);
}

/** Four bytes as a signed number. */
export function int32At(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** `mov` and `lea` of eight bytes: between registers, or with a base and a displacement. */
function shortMove(bytes: Uint8Array, at: number, p: number, rex: number, M: Int32Array, k: number): number {
  const opcode = bytes[p]!;
  const modrm = bytes[p + 1]!;
  const mode = modrm >> 6;
  const reg = (((modrm >> 3) & 7) | ((rex & 4) << 1)) * REG_STRIDE;
  const rm = ((modrm & 7) | ((rex & 1) << 3)) * REG_STRIDE;
  if (mode === 3) {
    if (opcode === 0x8d) return 0;
    M[k] = OP.MOV_RR;
    M[k + ROW.A] = opcode === 0x89 ? rm : reg;
    M[k + ROW.B] = opcode === 0x89 ? reg : rm;
    return p + 2 - at;
  }
  const sib = (modrm & 7) === 4;
  if (mode === 0 || (sib && ((rex & 3) !== 0 || bytes[p + 2] !== 0x24))) return 0;
  const disp = p + (sib ? 3 : 2);
  M[k] = opcode === 0x89 ? OP.STORE : opcode === 0x8b ? OP.LOAD : OP.LEA;
  M[k + ROW.A] = reg;
  M[k + ROW.B] = rm;
  M[k + ROW.X] = mode === 1 ? (bytes[disp]! << 24) >> 24 : int32At(bytes, disp);
  return disp + (mode === 1 ? 1 : 4) - at;
}

/** `mov` of a constant of four or eight bytes to a register. */
function shortConstant(
  bytes: Uint8Array,
  at: number,
  p: number,
  rex: number,
  M: Int32Array,
  k: number,
): number {
  const wide = (rex & 8) !== 0;
  M[k] = OP.MOV_RI;
  M[k + ROW.A] = ((bytes[p]! & 7) | ((rex & 1) << 3)) * REG_STRIDE;
  M[k + ROW.X] = int32At(bytes, p + 1);
  M[k + ROW.Y] = wide ? int32At(bytes, p + 5) : 0;
  return p + (wide ? 9 : 5) - at;
}

/** `test r,r` of eight bytes, and additions to `rsp`. */
function shortArithmetic(bytes: Uint8Array, at: number, M: Int32Array, k: number): number {
  const opcode = bytes[at + 1]!;
  const modrm = bytes[at + 2]!;
  if (opcode === 0x85 && modrm >= 0xc0 && ((modrm >> 3) & 7) === (modrm & 7)) {
    M[k] = OP.TEST_SELF;
    M[k + ROW.A] = (modrm & 7) * REG_STRIDE;
    return 3;
  }
  const adjusts = (opcode === 0x83 || opcode === 0x81) && (modrm === 0xc4 || modrm === 0xec);
  const value = opcode === 0x83 ? (bytes[at + 3]! << 24) >> 24 : int32At(bytes, at + 3);
  if (!adjusts || isOwnNegative(value)) return 0;
  M[k] = OP.ADJUST;
  M[k + ROW.X] = modrm === 0xc4 ? value : -value;
  M[k + ROW.Y] = value;
  return opcode === 0x83 ? 4 : 7;
}

/** Zero and −2^31: to add one of them looks like subtracting it. */
function isOwnNegative(value: number): boolean {
  return (-value | 0) === value;
}

/**
 * Instructions without a REX prefix. `end` and `hi` are the address behind the shortest of them, for calls.
 * One switch on purpose: it runs for every instruction of a fresh image.
 */
function shortPlain(
  bytes: Uint8Array,
  at: number,
  opcode: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): number {
  switch (opcode) {
    case 0xe8:
      M[k] = OP.CALL;
      M[k + ROW.X] = end + 5;
      M[k + ROW.Y] = hi;
      return 5;
    case 0xe9:
      M[k] = OP.JUMP;
      return 5;
    case 0x74:
    case 0x75:
      M[k] = OP.JZ;
      M[k + ROW.A] = opcode & 15;
      return 2;
    case 0xc3:
      M[k] = OP.RETURN;
      return 1;
    case 0x0f:
      if (bytes[at + 1] !== 0x1f || bytes[at + 2] !== 0x44) return 0;
      M[k] = OP.NOP;
      return 5;
    case 0xc9:
      M[k] = OP.LEAVE;
      return 1;
    case 0x31: {
      const modrm = bytes[at + 1]!;
      if (modrm < 0xc0 || ((modrm >> 3) & 7) !== (modrm & 7)) return 0;
      M[k] = OP.ZERO;
      M[k + ROW.A] = (modrm & 7) * REG_STRIDE;
      return 2;
    }
    default:
      return 0;
  }
}

/** Writes the short form of a decoded instruction (fields `d` from `at`); its execution is the same. */
export function shortFromFields(
  d: Int32Array,
  at: number,
  M: Int32Array,
  k: number,
  end: number,
  hi: number,
): void {
  const op = shortForm(d, at);
  M[k] = op;
  M[k + ROW.A] = d[at + FIELD.A]!;
  M[k + ROW.B] = d[at + FIELD.B]!;
  M[k + ROW.X] = d[at + FIELD.IMM_LO]!;
  M[k + ROW.Y] = d[at + FIELD.IMM_HI]!;
  if (op === OP.CALL) {
    M[k + ROW.X] = end;
    M[k + ROW.Y] = hi;
  } else if (op === OP.MOV_RI && d[at + FIELD.SIZE] === 4) M[k + ROW.Y] = 0;
  else if (op === OP.JZ) M[k + ROW.A] = d[at + FIELD.SUB]!;
  else if (op === OP.ADJUST) {
    M[k + ROW.Y] = d[at + FIELD.IMM_LO]!;
    if (d[at + FIELD.SUB] === ALU.SUB) M[k + ROW.X] = -d[at + FIELD.IMM_LO]!;
  } else if (op === OP.LOAD || op === OP.STORE || op === OP.STORE_I || op === OP.LEA) {
    M[k + ROW.A] = d[at + (op === OP.STORE ? FIELD.B : FIELD.A)]!;
    M[k + ROW.B] = d[at + FIELD.BASE]!;
    M[k + ROW.X] = d[at + FIELD.DISP_LO]!;
    M[k + ROW.Y] = d[at + FIELD.IMM_LO]!;
  }
}

function shortForm(d: Int32Array, at: number): number {
  const family = d[at + FIELD.FAMILY]!;
  const form = d[at + FIELD.FORM]!;
  const size = d[at + FIELD.SIZE]!;
  const same = form === FORM.RR && d[at + FIELD.A] === d[at + FIELD.B];
  if (family === FAMILY.NOP) return OP.NOP;
  if (family === FAMILY.MOV && form === FORM.RI && size >= 4) return OP.MOV_RI;
  if (same && size >= 4 && family === FAMILY.ALU && d[at + FIELD.SUB] === ALU.XOR) return OP.ZERO;
  if (size !== 8) return OP.GENERIC;
  if (family === FAMILY.MOV && form === FORM.RR) return OP.MOV_RR;
  if (family === FAMILY.TEST && same) return OP.TEST_SELF;
  if (family === FAMILY.ALU && form === FORM.RI) return adjustsStack(d, at) ? OP.ADJUST : OP.GENERIC;
  if (family === FAMILY.JCC) return (d[at + FIELD.SUB]! & 14) === 4 ? OP.JZ : OP.GENERIC;
  return form === FORM.R || form === FORM.I || form === FORM.NONE
    ? controlForm(family, form)
    : memoryForm(d, at);
}

/** `add $n, %rsp` and `sub $n, %rsp`. */
function adjustsStack(d: Int32Array, at: number): boolean {
  const sub = d[at + FIELD.SUB]!;
  const moves = sub === ALU.ADD || sub === ALU.SUB;
  return moves && d[at + FIELD.A] === RSP_FIELD && !isOwnNegative(d[at + FIELD.IMM_LO]!);
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
function memoryForm(d: Int32Array, at: number): number {
  const family = d[at + FIELD.FAMILY]!;
  const form = d[at + FIELD.FORM]!;
  const simple = d[at + FIELD.INDEX] === NO_REGISTER && d[at + FIELD.GS] === 0;
  if (!simple || d[at + FIELD.DISP_HI] !== d[at + FIELD.DISP_LO]! >> 31) return OP.GENERIC;
  if (family === FAMILY.LEA) return OP.LEA;
  if (family !== FAMILY.MOV) return OP.GENERIC;
  return form === FORM.RM ? OP.LOAD : form === FORM.MR ? OP.STORE : OP.STORE_I;
}
