import { Code, Encoder, Instruction, MemoryOperand, Register } from 'iced-x86';
import type { Reg } from './register.ts';
import { AH } from './register.ts';

/**
 * The encoding of one instruction with its numbers left out: the bytes, and where its displacement and
 * immediate go. iced-x86 encodes each shape once, when it is first asked for; emitting one afterwards is a copy
 * and two patches.
 */
export interface Template {
  /** Bytes of the instruction, and the bytes themselves, four to a number, low byte first. */
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  /** Offset of the displacement and its size in bytes (0 when there is none). */
  readonly dispAt: number;
  readonly dispSize: number;
  readonly immAt: number;
  /** Bytes, at most 4 sign-extended; 8 only for the 64-bit load. */
  readonly immSize: number;
}

type Bytes = 1 | 2 | 4 | 8;

/** iced numbers the registers of each width in hardware order, with `ah ch dh bh` between `bl` and `spl`. */
function icedRegister(reg: Reg, width: Bytes): Register {
  if (width === 8) return Register.RAX + reg;
  if (width === 4) return Register.EAX + reg;
  if (width === 2) return Register.AX + reg;
  if (reg >= AH) return Register.AH + reg - AH;
  return reg < 4 ? Register.AL + reg : Register.SPL + reg - 4;
}

/** A displacement that needs its full width, and is not special to the encoder. */
function icedMemory(base: Reg, byteDisp: boolean): MemoryOperand {
  const disp = byteDisp ? 0x10n : 0x12345678n;
  return new MemoryOperand(
    icedRegister(base, 8),
    Register.None,
    1,
    disp,
    byteDisp ? 1 : 8,
    false,
    Register.None,
  );
}

/** Encodes one instruction and frees it. */
function encode(instruction: Instruction): Template {
  const encoder = new Encoder(64);
  const length = encoder.encode(instruction, 0n);
  const offsets = encoder.getConstantOffsets();
  const bytes = new DataView(new ArrayBuffer(16));
  encoder.takeBuffer().forEach((byte, i) => {
    bytes.setUint8(i, byte);
  });
  const template = {
    length,
    first: bytes.getInt32(0, true),
    second: bytes.getInt32(4, true),
    third: bytes.getInt32(8, true),
    dispAt: offsets.displacementOffset,
    dispSize: offsets.displacementSize,
    immAt: offsets.immediateOffset,
    immSize: offsets.immediateSize,
  };
  offsets.free();
  encoder.free();
  instruction.free();
  return template;
}

/**
 * Templates of one opcode, by their registers. The opcode is looked up once: iced's table of codes has five
 * thousand entries and is slow to read.
 */
interface Family {
  readonly code: Code;
  readonly templates: (Template | undefined)[];
}

const family = (code: Code): Family => ({ code, templates: [] });

function ofReg({ code, templates }: Family, reg: Reg): Template {
  return (templates[reg] ??= encode(Instruction.createReg(code, icedRegister(reg, 8))));
}

function ofRegReg({ code, templates }: Family, a: Reg, b: Reg, width: Bytes): Template {
  return (templates[a * 16 + b] ??= encode(
    Instruction.createRegReg(code, icedRegister(a, width), icedRegister(b, width)),
  ));
}

function ofRegImm({ code, templates }: Family, reg: Reg, width: Bytes): Template {
  return (templates[reg] ??= encode(Instruction.createRegI32(code, icedRegister(reg, width), 0x11)));
}

function ofRegMem({ code, templates }: Family, reg: Reg, base: Reg, byteDisp: boolean): Template {
  const key = reg * 32 + base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(
    Instruction.createRegMem(code, icedRegister(reg, 8), icedMemory(base, byteDisp)),
  ));
}

function ofMemReg({ code, templates }: Family, base: Reg, byteDisp: boolean, reg: Reg): Template {
  const key = reg * 32 + base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(
    Instruction.createMemReg(code, icedMemory(base, byteDisp), icedRegister(reg, 8)),
  ));
}

function ofMemImm({ code, templates }: Family, base: Reg, byteDisp: boolean): Template {
  const key = base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(Instruction.createMemI32(code, icedMemory(base, byteDisp), 0x11)));
}

const PUSHES = family(Code.Push_r64);
const POPS = family(Code.Pop_r64);
const CALLS = family(Code.Call_rm64);
const MOVES = family(Code.Mov_rm64_r64);
const TESTS = family(Code.Test_rm64_r64);
const ZEROES = family(Code.Xor_rm32_r32);
const LOADS = family(Code.Mov_r64_rm64);
const LEAS = family(Code.Lea_r64_m);
const LEAS_RELATIVE = family(Code.Lea_r64_m);
const STORES = family(Code.Mov_rm64_r64);
const STORES_IMM64 = family(Code.Mov_rm64_imm32);
const STORES_IMM32 = family(Code.Mov_rm32_imm32);
const COMPARES = family(Code.Cmp_rm64_imm8);
const UNSIGNED = family(Code.Mov_r32_imm32);
const SIGNED = family(Code.Mov_rm64_imm32);
const WHOLE = family(Code.Mov_r64_imm64);
const XORS = family(Code.Xor_rm64_r64);
const ADDS = family(Code.Add_rm64_r64);
const MULTIPLIES = family(Code.Imul_r64_rm64);
const NOTS = family(Code.Not_rm64);
const ANDS8 = family(Code.And_rm64_imm8);
const COMPARES8 = family(Code.Cmp_rm64_imm8);
const ROTATES = family(Code.Rol_rm64_imm8);
const ZERO_EXTENSIONS = [family(Code.Movzx_r32_rm8), family(Code.Movzx_r32_rm16), family(Code.Mov_r32_rm32)];
const SIGN_EXTENSIONS = [
  family(Code.Movsx_r64_rm8),
  family(Code.Movsx_r64_rm16),
  family(Code.Movsxd_r64_rm32),
];
const ADDS8 = family(Code.Add_rm64_imm8);
const ADDS32 = family(Code.Add_rm64_imm32);
const SUBS8 = family(Code.Sub_rm64_imm8);
const SUBS32 = family(Code.Sub_rm64_imm32);

export const push = (reg: Reg): Template => ofReg(PUSHES, reg);
export const pop = (reg: Reg): Template => ofReg(POPS, reg);
export const callRegister = (reg: Reg): Template => ofReg(CALLS, reg);
export const mov = (to: Reg, from: Reg): Template => ofRegReg(MOVES, to, from, 8);
export const test = (reg: Reg): Template => ofRegReg(TESTS, reg, reg, 8);
/** `xor r32, r32`. */
export const zero = (reg: Reg): Template => ofRegReg(ZEROES, reg, reg, 4);
export const load = (to: Reg, base: Reg, byteDisp: boolean): Template => ofRegMem(LOADS, to, base, byteDisp);
export const lea = (to: Reg, base: Reg, byteDisp: boolean): Template => ofRegMem(LEAS, to, base, byteDisp);
export const store = (from: Reg, base: Reg, byteDisp: boolean): Template =>
  ofMemReg(STORES, base, byteDisp, from);
export const storeImmediate64 = (base: Reg, byteDisp: boolean): Template =>
  ofMemImm(STORES_IMM64, base, byteDisp);
export const storeImmediate32 = (base: Reg, byteDisp: boolean): Template =>
  ofMemImm(STORES_IMM32, base, byteDisp);
export const compareImmediate = (base: Reg, byteDisp: boolean): Template =>
  ofMemImm(COMPARES, base, byteDisp);
export const loadUnsigned32 = (reg: Reg): Template => ofRegImm(UNSIGNED, reg, 4);
export const loadSigned32 = (reg: Reg): Template => ofRegImm(SIGNED, reg, 8);
export const add = (reg: Reg, byteImm: boolean): Template => ofRegImm(byteImm ? ADDS8 : ADDS32, reg, 8);
export const sub = (reg: Reg, byteImm: boolean): Template => ofRegImm(byteImm ? SUBS8 : SUBS32, reg, 8);

export const xorRegister = (a: Reg, b: Reg): Template => ofRegReg(XORS, a, b, 8);
export const addRegister = (a: Reg, b: Reg): Template => ofRegReg(ADDS, a, b, 8);
export const multiply = (a: Reg, b: Reg): Template => ofRegReg(MULTIPLIES, a, b, 8);
export const not = (reg: Reg): Template => ofReg(NOTS, reg);
export const and8 = (reg: Reg): Template => ofRegImm(ANDS8, reg, 8);
export const compare8 = (reg: Reg): Template => ofRegImm(COMPARES8, reg, 8);
export const rotateLeft = (reg: Reg): Template => ofRegImm(ROTATES, reg, 8);

export function extend(to: Reg, from: Reg, bytes: 1 | 2 | 4, signed: boolean): Template {
  const { code, templates } = (signed ? SIGN_EXTENSIONS : ZERO_EXTENSIONS)[bytes >> 1]!;
  const destination = icedRegister(to, signed ? 8 : 4);
  return (templates[to * 16 + from] ??= encode(
    Instruction.createRegReg(code, destination, icedRegister(from, bytes)),
  ));
}

export function leaRelative(to: Reg): Template {
  const { code, templates } = LEAS_RELATIVE;
  const memory = new MemoryOperand(Register.RIP, Register.None, 1, 0x12345678n, 8, false, Register.None);
  return (templates[to] ??= encode(Instruction.createRegMem(code, icedRegister(to, 8), memory)));
}

export function load64(reg: Reg): Template {
  const { code, templates } = WHOLE;
  return (templates[reg] ??= encode(
    Instruction.createRegU64(code, icedRegister(reg, 8), 0x1122334455667788n),
  ));
}

export const CALL = encode(Instruction.createBranch(Code.Call_rel32_64, 0n));
export const JUMP = encode(Instruction.createBranch(Code.Jmp_rel32_64, 0n));
export const JE_SHORT = encode(Instruction.createBranch(Code.Je_rel8_64, 0n));
export const JNE_NEAR = encode(Instruction.createBranch(Code.Jne_rel32_64, 0n));
export const JA_NEAR = encode(Instruction.createBranch(Code.Ja_rel32_64, 0n));
export const RET = encode(Instruction.create(Code.Retnq));
export const LEAVE = encode(Instruction.create(Code.Leaveq));
export const PUSH_FLAGS = encode(Instruction.create(Code.Pushfq));
export const POP_FLAGS = encode(Instruction.create(Code.Popfq));
export const INT3 = encode(Instruction.create(Code.Int3));
export const ENDBR64 = encode(Instruction.create(Code.Endbr64));

/** `sarq $n, %gs:disp(%rip)`: the call-depth accounting. */
export const SHIFT_RIGHT_GS = encode(
  Instruction.createMemI32(
    Code.Sar_rm64_imm8,
    new MemoryOperand(Register.RIP, Register.None, 1, 0x12345678n, 8, false, Register.GS),
    0x11,
  ),
);
