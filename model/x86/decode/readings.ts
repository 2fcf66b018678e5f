import type { Instruction } from 'iced-x86';
import { Code, MemorySizeExt, Mnemonic, OpKind, Register, RegisterExt } from 'iced-x86';
import { cell, item } from '../cell.ts';
import { FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from '../instruction.ts';
import type { Width } from '../register.ts';
import { registerName } from '../register.ts';
import { toBigInt } from '../word.ts';

/*
 * Two readings of the same bytes, ours and iced's, each turned into text by code of its own: `4 add eax
 * 4@[rdi+rcx*4+0x10]` is an instruction of four bytes that adds four bytes of memory to eax.
 */

/** ModRM without its reg field, and the SIB byte after it: each way to name a register or a place. */
export const PLACES = [
  [0xc0],
  [0xc7],
  [0x01],
  [0x04, 0x24],
  [0x04, 0x8d],
  [0x04, 0x25],
  [0x05],
  [0x45],
  [0x44, 0x64],
  [0x82],
  [0x84, 0xf1],
];

/** Displacement and immediate: with and without a sign. */
export const TAILS = [
  [0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8],
  [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x08],
];

// Each list is in the order of the numbers in the opcode; shift 6 is the alias of SHL that we refuse.
const CONDITIONS = 'o no b ae e ne be a s ns p np l ge le g'.split(' ');
const CLASSIC = 'add or adc sbb and sub xor cmp'.split(' ');
const SHIFTS = 'rol ror rcl rcr shl shr - sar'.split(' ');
const CONVERSIONS: Readonly<Record<string, string>> = {
  '2/0': 'cbw',
  '4/0': 'cwde',
  '8/0': 'cdqe',
  '2/1': 'cwd',
  '4/1': 'cdq',
  '8/1': 'cqo',
};

/**
 * The mnemonic of a family by the other fields of its row. The table of families is written out here a second
 * time on purpose: a number that the decoder and the interpreter share is checked by neither.
 */
const MNEMONICS: Readonly<Record<keyof typeof FAMILY, (sub: number, size: number) => string>> = {
  MOV: () => 'mov',
  ALU: (sub) => item(CLASSIC, sub),
  TEST: () => 'test',
  LEA: () => 'lea',
  PUSH: () => 'push',
  POP: () => 'pop',
  SHIFT: (sub) => item(SHIFTS, sub),
  UNARY: (sub) => ({ 2: 'not', 3: 'neg', 8: 'inc', 9: 'dec' })[sub]!,
  EXTEND: (sub) => (sub === 1 ? 'movsx' : 'movzx'),
  MULTIPLY: () => 'imul',
  MULTIPLY_WIDE: (sub) => (sub === 4 ? 'mul' : 'imul'),
  EXCHANGE: () => 'xchg',
  CMOV: (sub) => `cmov${CONDITIONS[sub]}`,
  SETCC: (sub) => `set${CONDITIONS[sub]}`,
  BYTE_SWAP: () => 'bswap',
  CONVERT: (sub, size) => CONVERSIONS[`${size}/${sub}`]!,
  CALL: () => 'call',
  JUMP: () => 'jmp',
  RETURN: () => 'ret',
  PUSH_FLAGS: () => 'pushfq',
  POP_FLAGS: () => 'popfq',
  TRAP: (sub) => (sub === 3 ? 'int3' : 'ud2'),
  NOP: () => 'nop',
  JCC: (sub) => `j${CONDITIONS[sub]}`,
  LEAVE: () => 'leave',
};

/** Families are numbered from 0 without gaps. */
const FAMILIES = Object.keys(FAMILY) as (keyof typeof FAMILY)[];

const hex = (value: bigint, bytes = 8) => `0x${BigInt.asUintN(8 * bytes, value).toString(16)}`;

/** Bytes of an immediate: the operand's, but those of shifts and returns have a width of their own. */
function immediateBytes(mnemonic: string, size: number): number {
  return SHIFTS.includes(mnemonic) ? 1 : mnemonic === 'ret' ? 2 : size;
}

/** Our reading of the row in `d`. */
export function ourReading(d: Int32Array): string {
  const mnemonic = MNEMONICS[item(FAMILIES, cell(d, FIELD.FAMILY))](cell(d, FIELD.SUB), cell(d, FIELD.SIZE));
  return reading(cell(d, FIELD.LENGTH), mnemonic, operandsOf(d, mnemonic));
}

function operandsOf(d: Int32Array, mnemonic: string): string[] {
  const family = d[FIELD.FAMILY];
  const size = cell(d, FIELD.SIZE);
  const a = () => nameOf(cell(d, FIELD.A), family === FAMILY.EXTEND ? cell(d, FIELD.IMM_LO) : size);
  const b = () => nameOf(cell(d, FIELD.B), size);
  const memory = () => memoryText(d, family === FAMILY.LEA ? 0 : size);
  const value = () => hex(fieldPair(d, FIELD.IMM_HI, FIELD.IMM_LO), immediateBytes(mnemonic, size));
  const count = family === FAMILY.SHIFT ? ['cl'] : [];
  switch (d[FIELD.FORM]) {
    case FORM.RR:
      return [a(), b()];
    case FORM.RM:
      return [a(), memory()];
    case FORM.MR:
      return [memory(), b()];
    case FORM.RI:
      return [a(), value()];
    case FORM.MI:
      return [memory(), value()];
    case FORM.R:
      return [a(), ...count];
    case FORM.M:
      return [memory(), ...count];
    case FORM.I:
      return [value()];
    case FORM.RRI:
      return [a(), b(), value()];
    case FORM.RMI:
      return [a(), memory(), value()];
    default:
      return [];
  }
}

function fieldPair(d: Int32Array, hi: number, lo: number): bigint {
  return toBigInt({ hi: cell(d, hi), lo: cell(d, lo) });
}

/** Both registers of an exchange are destinations: their order says nothing. */
function reading(length: number, mnemonic: string, operands: readonly string[]): string {
  const ordered = mnemonic === 'xchg' ? [...operands].sort() : operands;
  return [length, mnemonic, ...ordered].join(' ');
}

function nameOf(field: number, size: number): string {
  return registerName(field / REG_STRIDE, size as Width);
}

function memoryText(d: Int32Array, size: number): string {
  const base = d[FIELD.BASE] === NO_REGISTER ? '' : nameOf(cell(d, FIELD.BASE), 8);
  const index =
    d[FIELD.INDEX] === NO_REGISTER ? '' : `+${nameOf(cell(d, FIELD.INDEX), 8)}*${1 << cell(d, FIELD.SCALE)}`;
  const disp = hex(fieldPair(d, FIELD.DISP_HI, FIELD.DISP_LO));
  return `${size}@${d[FIELD.GS] === 1 ? 'gs:' : ''}[${base}${index}+${disp}]`;
}

/** Names of iced's that differ: what only hints does nothing here, and movsxd is a sign extension. */
const ALIASES: Readonly<Record<string, string>> = {
  pause: 'nop',
  endbr64: 'nop',
  lfence: 'nop',
  movsxd: 'movsx',
};

/** Forms that move the stack by two bytes or four, under the mnemonic of the one that moves it by eight. */
const SHORT_FORMS: readonly number[] = [Code.Retnw, Code.Retnw_imm16, Code.Leavew, Code.Push_imm16];

/** iced's names of mnemonics and registers, in its order. */
const ICED_MNEMONICS = namesOf(Mnemonic as unknown as Record<string, string | number>);
const ICED_REGISTERS = namesOf(Register as unknown as Record<string, string | number>);

function namesOf(numbered: Record<string, string | number>): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(numbered))
    if (typeof value === 'number') names[value] = name.toLowerCase();
  return names;
}

/** iced calls the low bytes of the upper registers `r8l`. */
function icedRegister(register: Register): string {
  return item(ICED_REGISTERS, register).replace(/^(r\d+)l$/, '$1b');
}

/** iced's reading. */
export function icedReading(instruction: Instruction): string {
  const name = item(ICED_MNEMONICS, instruction.mnemonic);
  const mnemonic = SHORT_FORMS.includes(instruction.code) ? `short ${name}` : (ALIASES[name] ?? name);
  const operands: string[] = [];
  if (mnemonic !== 'nop')
    for (let i = 0; i < instruction.opCount; i++) operands.push(icedOperand(instruction, mnemonic, i));
  return reading(instruction.length, mnemonic, operands);
}

function icedOperand(instruction: Instruction, mnemonic: string, i: number): string {
  const kind = instruction.opKind(i);
  if (kind === OpKind.Register) return icedRegister(instruction.opRegister(i));
  if (kind === OpKind.NearBranch64) return hex(instruction.nearBranchTarget);
  if (kind !== OpKind.Memory)
    return hex(instruction.immediate(i), immediateBytes(mnemonic, icedOperandBytes(instruction)));
  const size = mnemonic === 'lea' ? 0 : MemorySizeExt.size(instruction.memorySize);
  const { memoryBase, memoryIndex, memoryIndexScale } = instruction;
  const base = memoryBase === Register.None || memoryBase === Register.RIP ? '' : icedRegister(memoryBase);
  const index = memoryIndex === Register.None ? '' : `+${icedRegister(memoryIndex)}*${memoryIndexScale}`;
  const gs = mnemonic !== 'lea' && instruction.memorySegment === Register.GS ? 'gs:' : '';
  return `${size}@${gs}[${base}${index}+${hex(instruction.memoryDisplacement)}]`;
}

/** Bytes of the operand that an immediate goes with. */
function icedOperandBytes(instruction: Instruction): number {
  const kind = instruction.opKind(0);
  if (kind === OpKind.Memory) return MemorySizeExt.size(instruction.memorySize);
  return kind === OpKind.Register ? RegisterExt.size(instruction.opRegister(0)) : 8;
}
