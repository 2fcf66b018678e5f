import { FAMILY, FIELD, FIELDS, FORM, NO_REGISTER, REG_STRIDE, SHIFT, TRAP, UNARY } from './instruction.ts';
import { AH } from './register.ts';

/** The longest legal instruction in bytes. */
const LONGEST = 15;

/**
 * Reads one instruction of the supported subset and writes its fields into `ops` from index `k`.
 *
 * Returns its length in bytes, or 0 when the bytes are not an instruction that we model (or run out before the
 * instruction ends); the caller names it. `ripHi:ripLo` is the address of the first byte: relative targets and
 * RIP-relative operands come out absolute.
 */
export function decode(
  bytes: Uint8Array,
  at: number,
  ops: Int32Array,
  k: number,
  ripHi: number,
  ripLo: number,
): number {
  const d = decoder;
  d.bytes = bytes;
  d.start = at;
  d.at = at;
  d.end = Math.min(bytes.length, at + LONGEST);
  d.ops = ops;
  d.k = k;
  ops.fill(0, k, k + FIELDS);
  ops[k + FIELD.BASE] = NO_REGISTER;
  ops[k + FIELD.INDEX] = NO_REGISTER;
  d.ripRelative = false;
  d.failed = false;
  readPrefixes(d);
  const opcode = take(d);
  if (opcode === 0x0f) decodeTwoByte(d, take(d));
  else decodeOneByte(d, opcode);
  if (d.failed) return 0;
  const length = d.at - d.start;
  ops[k + FIELD.LENGTH] = length;
  makeAbsolute(d, ripHi, ripLo + length);
  return length;
}

/** The cursor of the one decode in progress; allocated once, because an image is decoded in microseconds. */
interface Decoder {
  bytes: Uint8Array;
  start: number;
  at: number;
  end: number;
  ops: Int32Array;
  k: number;
  rex: number;
  operand16: boolean;
  repeat: number;
  ripRelative: boolean;
  failed: boolean;
}

const decoder: Decoder = {
  bytes: new Uint8Array(0),
  start: 0,
  at: 0,
  end: 0,
  ops: new Int32Array(0),
  k: 0,
  rex: 0,
  operand16: false,
  repeat: 0,
  ripRelative: false,
  failed: false,
};

function take(d: Decoder): number {
  if (d.at >= d.end) {
    d.failed = true;
    return 0;
  }
  return d.bytes[d.at++]!;
}

function takeInt8(d: Decoder): number {
  return (take(d) << 24) >> 24;
}

function takeInt32(d: Decoder): number {
  return take(d) | (take(d) << 8) | (take(d) << 16) | (take(d) << 24);
}

/** Legacy prefixes in any order, then at most one REX directly before the opcode. */
function readPrefixes(d: Decoder): void {
  d.rex = 0;
  d.operand16 = false;
  d.repeat = 0;
  for (;;) {
    const byte = d.bytes[d.at]!;
    if (byte === 0x66) d.operand16 = true;
    else if (byte === 0xf3 || byte === 0xf2) d.repeat = byte;
    else if (byte === 0x65) d.ops[d.k + FIELD.GS] = 1;
    else if (byte !== 0x2e && byte !== 0x3e) break;
    d.at++;
    if (d.at >= d.end) return;
  }
  const byte = d.bytes[d.at]!;
  if (byte >= 0x40 && byte <= 0x4f) {
    d.rex = byte;
    d.at++;
  }
}

/** Operand size of instructions whose opcode does not fix it. */
function operandSize(d: Decoder): number {
  if ((d.rex & 8) !== 0) return 8;
  return d.operand16 ? 2 : 4;
}

function set(d: Decoder, family: number, form: number, size: number, sub = 0): void {
  const { ops, k } = d;
  ops[k + FIELD.FAMILY] = family;
  ops[k + FIELD.FORM] = form;
  ops[k + FIELD.SIZE] = size;
  ops[k + FIELD.SUB] = sub;
}

/** A register field; numbers 4–7 are the high bytes when there is no REX prefix. */
function registerField(d: Decoder, number: number, size: number): number {
  if (size === 1 && d.rex === 0 && number >= 4) return (AH + number - 4) * REG_STRIDE;
  return number * REG_STRIDE;
}

/** The register in ModRM.reg. */
function regOperand(d: Decoder, modrm: number, size: number): number {
  return registerField(d, ((modrm >> 3) & 7) | ((d.rex & 4) << 1), size);
}

/** A register in the low three bits of the opcode. */
function opcodeRegister(d: Decoder, opcode: number, size: number): number {
  return registerField(d, (opcode & 7) | ((d.rex & 1) << 3), size);
}

function isRegister(modrm: number): boolean {
  return modrm >= 0xc0;
}

/** The register in ModRM.rm, when mod is 3. */
function rmRegister(d: Decoder, modrm: number, size: number): number {
  return registerField(d, (modrm & 7) | ((d.rex & 1) << 3), size);
}

/** The memory operand of ModRM.rm: base, index, scale and displacement. */
function memoryOperand(d: Decoder, modrm: number): void {
  const { ops, k } = d;
  const mode = modrm >> 6;
  let base = modrm & 7;
  const hasSib = base === 4;
  if (hasSib) base = takeSib(d);
  const absolute = base === 5 && mode === 0;
  d.ripRelative = absolute && !hasSib;
  ops[k + FIELD.BASE] = absolute ? NO_REGISTER : (base | ((d.rex & 1) << 3)) * REG_STRIDE;
  const wide = mode === 2 || absolute;
  const displacement = wide ? takeInt32(d) : mode === 1 ? takeInt8(d) : 0;
  ops[k + FIELD.DISP_LO] = displacement;
  ops[k + FIELD.DISP_HI] = displacement >> 31;
}

/** Sets the scaled index from a SIB byte; returns the base's number. */
function takeSib(d: Decoder): number {
  const sib = take(d);
  const index = ((sib >> 3) & 7) | ((d.rex & 2) << 2);
  if (index !== 4) {
    d.ops[d.k + FIELD.INDEX] = index * REG_STRIDE;
    d.ops[d.k + FIELD.SCALE] = sib >> 6;
  }
  return sib & 7;
}

/** Sets a two-operand instruction from ModRM: `reg` first when `regIsDestination`. */
function modrmPair(d: Decoder, family: number, size: number, sub: number, regIsDestination: boolean): void {
  const modrm = take(d);
  const { ops, k } = d;
  const reg = regOperand(d, modrm, size);
  if (isRegister(modrm)) {
    const rm = rmRegister(d, modrm, size);
    set(d, family, FORM.RR, size, sub);
    ops[k + FIELD.A] = regIsDestination ? reg : rm;
    ops[k + FIELD.B] = regIsDestination ? rm : reg;
    return;
  }
  memoryOperand(d, modrm);
  set(d, family, regIsDestination ? FORM.RM : FORM.MR, size, sub);
  ops[k + (regIsDestination ? FIELD.A : FIELD.B)] = reg;
}

/** Sets a one-operand instruction from ModRM.rm. */
function modrmSingle(d: Decoder, modrm: number, family: number, size: number, sub = 0): void {
  if (isRegister(modrm)) {
    set(d, family, FORM.R, size, sub);
    d.ops[d.k + FIELD.A] = rmRegister(d, modrm, size);
    return;
  }
  memoryOperand(d, modrm);
  set(d, family, FORM.M, size, sub);
}

/** ModRM.rm with an immediate of `bytes` bytes, sign-extended to the operand's size. */
function modrmImmediate(
  d: Decoder,
  modrm: number,
  family: number,
  size: number,
  sub: number,
  bytes: number,
): void {
  if (isRegister(modrm)) {
    set(d, family, FORM.RI, size, sub);
    d.ops[d.k + FIELD.A] = rmRegister(d, modrm, size);
  } else {
    memoryOperand(d, modrm);
    set(d, family, FORM.MI, size, sub);
  }
  immediate(d, bytes);
}

function immediate(d: Decoder, bytes: number): void {
  const value =
    bytes === 1 ? takeInt8(d) : bytes === 2 ? ((take(d) | (take(d) << 8)) << 16) >> 16 : takeInt32(d);
  d.ops[d.k + FIELD.IMM_LO] = value;
  d.ops[d.k + FIELD.IMM_HI] = value >> 31;
}

/** Size in bytes of an immediate that follows an operand size: 4 for eight-byte operands, sign-extended. */
function immediateBytes(size: number): number {
  return size === 8 ? 4 : size;
}

function decodeOneByte(d: Decoder, opcode: number): void {
  if (opcode < 0x40 && (opcode & 7) < 6) return decodeAlu(d, opcode);
  if (opcode >= 0x50 && opcode <= 0x5f) return decodePushPop(d, opcode);
  if (opcode >= 0x70 && opcode <= 0x7f) return decodeBranch(d, FAMILY.JCC, opcode & 15, takeInt8(d));
  if (opcode >= 0x91 && opcode <= 0x97) return decodeExchangeRax(d, opcode);
  if (opcode >= 0xb0 && opcode <= 0xbf) return decodeMovImmediate(d, opcode);
  const size = operandSize(d);
  switch (opcode) {
    case 0x63:
      return modrmExtend(d, 4, 1);
    case 0x68:
      set(d, FAMILY.PUSH, FORM.I, 8);
      return immediate(d, 4);
    case 0x6a:
      set(d, FAMILY.PUSH, FORM.I, 8);
      return immediate(d, 1);
    case 0x69:
    case 0x6b:
      return decodeMultiplyImmediate(d, opcode, size);
    case 0x80:
    case 0x81:
    case 0x83:
      return decodeGroup1(d, opcode);
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
    case 0x90:
      return d.repeat === 0 && (d.rex & 1) !== 0
        ? decodeExchangeRax(d, opcode)
        : set(d, FAMILY.NOP, FORM.NONE, size);
    case 0x98:
    case 0x99:
      return set(d, FAMILY.CONVERT, FORM.NONE, size, opcode & 1);
    case 0x9c:
      return set(d, FAMILY.PUSH_FLAGS, FORM.NONE, 8);
    case 0x9d:
      return set(d, FAMILY.POP_FLAGS, FORM.NONE, 8);
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
      set(d, FAMILY.RETURN, FORM.I, 8);
      d.ops[d.k + FIELD.IMM_LO] = take(d) | (take(d) << 8);
      return;
    case 0xc3:
      return set(d, FAMILY.RETURN, FORM.NONE, 8);
    case 0xc6:
    case 0xc7:
      return decodeGroup11(d, opcode & 1 ? size : 1);
    case 0xc9:
      return set(d, FAMILY.LEAVE, FORM.NONE, 8);
    case 0xcc:
      return set(d, FAMILY.TRAP, FORM.NONE, 8, TRAP.INT3);
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

function decodeTwoByte(d: Decoder, opcode: number): void {
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

function decodeAlu(d: Decoder, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const kind = opcode >> 3;
  const form = opcode & 7;
  if (form >= 4) return decodeAccumulator(d, FAMILY.ALU, size, kind);
  modrmPair(d, FAMILY.ALU, size, kind, form >= 2);
}

/** The short forms `op $imm, %al` and `op $imm, %eax`. */
function decodeAccumulator(d: Decoder, family: number, size: number, sub: number): void {
  set(d, family, FORM.RI, size, sub);
  immediate(d, immediateBytes(size));
}

function decodePushPop(d: Decoder, opcode: number): void {
  if (d.operand16) d.failed = true;
  set(d, opcode < 0x58 ? FAMILY.PUSH : FAMILY.POP, FORM.R, 8);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, 8);
}

function decodeExchangeRax(d: Decoder, opcode: number): void {
  set(d, FAMILY.EXCHANGE, FORM.RR, operandSize(d));
  d.ops[d.k + FIELD.B] = opcodeRegister(d, opcode, 8);
}

function decodeMovImmediate(d: Decoder, opcode: number): void {
  const size = opcode < 0xb8 ? 1 : operandSize(d);
  set(d, FAMILY.MOV, FORM.RI, size);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, size);
  if (size !== 8) return immediate(d, size);
  d.ops[d.k + FIELD.IMM_LO] = takeInt32(d);
  d.ops[d.k + FIELD.IMM_HI] = takeInt32(d);
}

function decodeMultiplyImmediate(d: Decoder, opcode: number, size: number): void {
  modrmPair(d, FAMILY.MULTIPLY, size, 0, true);
  const form = d.ops[d.k + FIELD.FORM]!;
  d.ops[d.k + FIELD.FORM] = form === FORM.RR ? FORM.RRI : FORM.RMI;
  immediate(d, opcode === 0x6b ? 1 : immediateBytes(size));
}

function decodeGroup1(d: Decoder, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const modrm = take(d);
  modrmImmediate(d, modrm, FAMILY.ALU, size, (modrm >> 3) & 7, opcode === 0x81 ? immediateBytes(size) : 1);
}

function decodeGroup1a(d: Decoder): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0 || d.operand16) d.failed = true;
  modrmSingle(d, modrm, FAMILY.POP, 8);
}

function decodeLea(d: Decoder, size: number): void {
  modrmPair(d, FAMILY.LEA, size, 0, true);
  if (d.ops[d.k + FIELD.FORM] !== FORM.RM) d.failed = true;
}

function decodeShift(d: Decoder, opcode: number): void {
  const size = opcode & 1 ? operandSize(d) : 1;
  const modrm = take(d);
  const kind = (modrm >> 3) & 7;
  if (kind === 6 || kind === SHIFT.RCL || kind === SHIFT.RCR) d.failed = true;
  modrmSingle(d, modrm, FAMILY.SHIFT, size, kind);
  if (opcode >= 0xd2) return;
  d.ops[d.k + FIELD.FORM] = isRegister(modrm) ? FORM.RI : FORM.MI;
  d.ops[d.k + FIELD.IMM_LO] = opcode >= 0xd0 ? 1 : take(d);
}

function decodeGroup11(d: Decoder, size: number): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0) d.failed = true;
  modrmImmediate(d, modrm, FAMILY.MOV, size, 0, immediateBytes(size));
}

function decodeGroup3(d: Decoder, size: number): void {
  const modrm = take(d);
  const kind = (modrm >> 3) & 7;
  if (kind === 0) return modrmImmediate(d, modrm, FAMILY.TEST, size, 0, immediateBytes(size));
  if (kind === 2) return modrmSingle(d, modrm, FAMILY.UNARY, size, UNARY.NOT);
  if (kind === 3) return modrmSingle(d, modrm, FAMILY.UNARY, size, UNARY.NEG);
  if (kind === 4 || kind === 5) return modrmSingle(d, modrm, FAMILY.MULTIPLY_WIDE, size, kind);
  d.failed = true;
}

function decodeGroup45(d: Decoder, opcode: number): void {
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

/** MOVZX, MOVSX and MOVSXD: the source is `from` bytes wide, `sub` tells signed (1) from unsigned (0). */
function modrmExtend(d: Decoder, from: number, signed: number): void {
  const size = operandSize(d);
  const modrm = take(d);
  const destination = regOperand(d, modrm, 8);
  modrmSingle(d, modrm, FAMILY.EXTEND, from, signed);
  const { ops, k } = d;
  ops[k + FIELD.FORM] = isRegister(modrm) ? FORM.RR : FORM.RM;
  ops[k + FIELD.B] = ops[k + FIELD.A]!;
  ops[k + FIELD.A] = destination;
  ops[k + FIELD.IMM_LO] = size;
}

function decodeByteSwap(d: Decoder, opcode: number, size: number): void {
  if (size === 2) d.failed = true;
  set(d, FAMILY.BYTE_SWAP, FORM.R, size);
  d.ops[d.k + FIELD.A] = opcodeRegister(d, opcode, 8);
}

/** `endbr64` (F3 0F 1E FA) does nothing here; other forms of 0F 1E are not modelled. */
function decodeEndbr(d: Decoder): void {
  if (d.repeat !== 0xf3 || take(d) !== 0xfa) d.failed = true;
  set(d, FAMILY.NOP, FORM.NONE, 8);
}

/** 0F 1F /0, at any length; the operand is decoded for its length and never touched. */
function decodeLongNop(d: Decoder, size: number): void {
  const modrm = take(d);
  if (((modrm >> 3) & 7) !== 0) d.failed = true;
  if (!isRegister(modrm)) memoryOperand(d, modrm);
  set(d, FAMILY.NOP, FORM.NONE, size);
}

/** `lfence` of the AMD retpoline orders speculation only; the other members of 0F AE are not modelled. */
function decodeFence(d: Decoder): void {
  if (d.repeat !== 0 || d.operand16 || take(d) !== 0xe8) d.failed = true;
  set(d, FAMILY.NOP, FORM.NONE, 8);
}

/** A relative branch; the displacement becomes an absolute target once the length is known. */
function decodeBranch(d: Decoder, family: number, condition: number, displacement: number): void {
  if (d.operand16) d.failed = true;
  set(d, family, FORM.I, 8, condition);
  d.ops[d.k + FIELD.IMM_LO] = displacement;
  d.ops[d.k + FIELD.IMM_HI] = displacement >> 31;
}

/** Turns relative branch targets and RIP-relative operands into absolute addresses. */
function makeAbsolute(d: Decoder, ripHi: number, next: number): void {
  const { ops, k } = d;
  const family = ops[k + FIELD.FAMILY]!;
  const relative = family === FAMILY.JCC || family === FAMILY.CALL || family === FAMILY.JUMP;
  if (relative && ops[k + FIELD.FORM] === FORM.I)
    addRip(ops, k + FIELD.IMM_LO, k + FIELD.IMM_HI, ripHi, next);
  if (d.ripRelative) addRip(ops, k + FIELD.DISP_LO, k + FIELD.DISP_HI, ripHi, next);
}

/** Adds a 64-bit instruction pointer (low half possibly past 2^32) to a sign-extended pair of fields. */
function addRip(ops: Int32Array, lo: number, hi: number, ripHi: number, next: number): void {
  const start = next < 0 ? next + 4294967296 : next;
  const sum = start + (ops[lo]! >>> 0);
  ops[lo] = sum | 0;
  ops[hi] = ops[hi]! + ripHi + Math.floor(sum / 4294967296);
}
