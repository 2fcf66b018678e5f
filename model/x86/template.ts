import { Code, Instruction, MemoryOperand, Register } from 'iced-x86';
import { item } from './cell.ts';
import type { Reg } from './register.ts';
import type { Template } from './template-family.ts';
import {
  encode,
  family,
  icedIndexed,
  icedRegister,
  ofGs,
  ofGsImm,
  ofMemImm,
  ofMemReg,
  ofNarrowMem,
  ofReg,
  ofRegGs,
  ofRegImm,
  ofRegMem,
  ofRegReg,
  ofRegRelative,
} from './template-family.ts';

export type { Template } from './template-family.ts';

/** The shapes of instructions that are assembled, by their registers. */

const PUSHES = family(Code.Push_r64);
const POPS = family(Code.Pop_r64);
const CALLS = family(Code.Call_rm64);
const MOVES = family(Code.Mov_rm64_r64);
const MOVES_LOW = family(Code.Mov_rm32_r32);
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
// Indexed by `bytes >> 1`: 1, 2 and 4 bytes are 0, 1 and 2. A zero extension writes 32 bits, which clears the
// upper half; a sign extension needs all 64.
const SIGN_EXTENSIONS = [
  family(Code.Movsx_r64_rm8),
  family(Code.Movsx_r64_rm16),
  family(Code.Movsxd_r64_rm32),
];
const LOADS_INDEXED = family(Code.Mov_r64_rm64);
const LOADS_HALF = family(Code.Mov_r32_rm32);
const LOADS_BYTE = family(Code.Movzx_r32_rm8);
const LOADS_SHORT = family(Code.Movzx_r32_rm16);
const LOADS_RELATIVE = family(Code.Mov_r64_rm64);
const COMPARES_MEMORY = family(Code.Cmp_rm64_r64);
const SUBTRACTS_LOADED = family(Code.Sub_r32_rm32);
const SHIFTS_BY_CL = family(Code.Shr_rm64_CL);
// A short and a long encoding each: the caller chooses by the value, as the JIT does (EMIT3_off32 or EMIT4 in
// arch/x86/net/bpf_jit_comp.c).
const ADDS8 = family(Code.Add_rm64_imm8);
const ADDS32 = family(Code.Add_rm64_imm32);
const SUBS8 = family(Code.Sub_rm64_imm8);
const SUBS32 = family(Code.Sub_rm64_imm32);

export const push = (reg: Reg): Template => ofReg(PUSHES, reg);
export const pop = (reg: Reg): Template => ofReg(POPS, reg);
export const callRegister = (reg: Reg): Template => ofReg(CALLS, reg);
export const mov = (to: Reg, from: Reg): Template => ofRegReg(MOVES, to, from, 8);
/** `mov r32, r32`. */
export const movLow = (to: Reg, from: Reg): Template => ofRegReg(MOVES_LOW, to, from, 4);
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

/**
 * The name of the source register depends on `bytes`, and whether it needs a REX prefix: `sil` does, `al`
 * does not.
 */
export function extend(to: Reg, from: Reg, bytes: 1 | 2 | 4, signed: boolean): Template {
  const { code, templates } = item(signed ? SIGN_EXTENSIONS : ZERO_EXTENSIONS, bytes >> 1);
  const destination = icedRegister(to, signed ? 8 : 4);
  return (templates[to * 16 + from] ??= encode(
    Instruction.createRegReg(code, destination, icedRegister(from, bytes)),
  ));
}

export const leaRelative = (to: Reg): Template => ofRegRelative(LEAS_RELATIVE, to);
export const loadRelative = (to: Reg): Template => ofRegRelative(LOADS_RELATIVE, to);

/** `to` ← eight bytes at `disp(base, index, 8)`, with a displacement of one byte. */
export function loadIndexed(to: Reg, base: Reg, index: Reg): Template {
  const { code, templates } = LOADS_INDEXED;
  return (templates[(to * 16 + base) * 16 + index] ??= encode(
    Instruction.createRegMem(code, icedRegister(to, 8), icedIndexed(base, index)),
  ));
}

/** `to` ← one byte, zero-extended. */
export const loadByte = (to: Reg, base: Reg, byteDisp: boolean): Template =>
  ofNarrowMem(LOADS_BYTE, to, base, byteDisp);
/** `to` ← two bytes, zero-extended. */
export const loadShort = (to: Reg, base: Reg, byteDisp: boolean): Template =>
  ofNarrowMem(LOADS_SHORT, to, base, byteDisp);
/** `to` ← four bytes, zero-extended. */
export const loadHalf = (to: Reg, base: Reg, byteDisp: boolean): Template =>
  ofNarrowMem(LOADS_HALF, to, base, byteDisp);
/** Four bytes of memory are subtracted from the low half of a register. */
export const subtractLoaded = (reg: Reg, base: Reg, byteDisp: boolean): Template =>
  ofNarrowMem(SUBTRACTS_LOADED, reg, base, byteDisp);

export const compareMemory = (base: Reg, reg: Reg, byteDisp: boolean): Template =>
  ofMemReg(COMPARES_MEMORY, base, byteDisp, reg);

/** `shr %cl, reg`. */
export function shiftRightByCl(reg: Reg): Template {
  const { code, templates } = SHIFTS_BY_CL;
  return (templates[reg] ??= encode(Instruction.createRegReg(code, icedRegister(reg, 8), Register.CL)));
}

/** `movabs`: the only eight-byte immediate. Its placeholder needs all eight bytes. */
export function load64(reg: Reg): Template {
  const { code, templates } = WHOLE;
  return (templates[reg] ??= encode(
    Instruction.createRegU64(code, icedRegister(reg, 8), 0x1122334455667788n),
  ));
}

// Instructions without registers have one encoding each. Branches have the width that their name says.
export const CALL = encode(Instruction.createBranch(Code.Call_rel32_64, 0n));
export const JUMP = encode(Instruction.createBranch(Code.Jmp_rel32_64, 0n));
export const JE_SHORT = encode(Instruction.createBranch(Code.Je_rel8_64, 0n));
export const JE_NEAR = encode(Instruction.createBranch(Code.Je_rel32_64, 0n));
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

const LOADS_GS = family(Code.Mov_r64_rm64);
const INCREMENTS_GS = family(Code.Inc_rm32);
const DECREMENTS_GS = family(Code.Dec_rm32);
const COMPARES_GS = family(Code.Cmp_rm32_imm8);

/** `to` ← eight bytes at `%gs:disp(%rip)`: a variable of the CPU. */
export const loadGs = (to: Reg): Template => ofRegGs(LOADS_GS, to);
/** Four bytes at `%gs:(base)`. */
export const incrementGs = (base: Reg): Template => ofGs(INCREMENTS_GS, base);
export const decrementGs = (base: Reg): Template => ofGs(DECREMENTS_GS, base);
/** With a sign-extended byte. */
export const compareGs = (base: Reg): Template => ofGsImm(COMPARES_GS, base);
