import { cell, item } from '../cell.ts';
import { FAMILY, FIELD, FORM, NO_REGISTER, REG_STRIDE } from '../instruction.ts';
import type { Width } from '../register.ts';
import { registerName } from '../register.ts';
import { toHex, zeroExtended } from '../word.ts';
import type { Head } from './head.ts';

// Each list is in the order of the numbers in the opcode; shift 6 is the alias of SHL that the decoder refuses.
const CONDITIONS = 'o no b ae e ne be a s ns p np l ge le g'.split(' ');
const CLASSIC = 'add or adc sbb and sub xor cmp'.split(' ');
const SHIFTS = 'rol ror rcl rcr shl shr - sar'.split(' ');
const UNARIES: Readonly<Record<number, string>> = { 2: 'not', 3: 'neg', 8: 'inc', 9: 'dec' };
const CONVERSIONS: Readonly<Record<number, readonly string[]>> = {
  2: ['cbtw', 'cwtd'],
  4: ['cwtl', 'cltd'],
  8: ['cltq', 'cqto'],
};

/** The mnemonic of a family by the other fields of its row, without a suffix. */
const MNEMONICS: Readonly<Record<keyof typeof FAMILY, (d: Int32Array, head: Head) => string>> = {
  MOV: (d, { opcode }) => (size(d) === 8 && opcode >= 0xb8 && opcode <= 0xbf ? 'movabs' : 'mov'),
  ALU: (d) => item(CLASSIC, sub(d)),
  TEST: () => 'test',
  LEA: () => 'lea',
  PUSH: () => 'push',
  POP: () => 'pop',
  SHIFT: (d) => item(SHIFTS, sub(d)),
  UNARY: (d) => UNARIES[sub(d)]!,
  EXTEND: extension,
  MULTIPLY: () => 'imul',
  MULTIPLY_WIDE: (d) => (sub(d) === 4 ? 'mul' : 'imul'),
  EXCHANGE: () => 'xchg',
  CMOV: (d) => `cmov${CONDITIONS[sub(d)]}`,
  SETCC: (d) => `set${CONDITIONS[sub(d)]}`,
  BYTE_SWAP: () => 'bswap',
  CONVERT: (d) => CONVERSIONS[size(d)]![sub(d)]!,
  CALL: () => 'call',
  JUMP: () => 'jmp',
  RETURN: () => 'ret',
  PUSH_FLAGS: () => 'pushf',
  POP_FLAGS: () => 'popf',
  TRAP: (d) => (sub(d) === 3 ? 'int3' : 'ud2'),
  NOP: nop,
  JCC: (d) => `j${CONDITIONS[sub(d)]}`,
  LEAVE: () => 'leave',
};
/** Families are numbered from 0 without gaps. */
const BY_NUMBER = (Object.keys(FAMILY) as (keyof typeof FAMILY)[]).map((family) => MNEMONICS[family]);

const size = (d: Int32Array): number => cell(d, FIELD.SIZE);
const sub = (d: Int32Array): number => cell(d, FIELD.SUB);
const suffix = (bytes: number): string => ({ 1: 'b', 2: 'w', 4: 'l' })[bytes] ?? 'q';

/** MOVSXD has a name of its own where it is no extension to eight bytes. */
function extension(d: Int32Array, { opcode }: Head): string {
  const to = cell(d, FIELD.IMM_LO);
  if (opcode === 0x63) return to === 8 ? 'movslq' : 'movsxd';
  const kind = sub(d) === 1 ? 's' : 'z';
  return size(d) === to ? `mov${kind}xw` : `mov${kind}${suffix(size(d))}${suffix(to)}`;
}

/** Those of 90 and 0F 1F, and what only hints. */
function nop(d: Int32Array, { opcode, repeat }: Head): string {
  if (opcode === 0x0f1e) return 'endbr64';
  if (opcode === 0x0fae) return 'lfence';
  if (opcode === 0x0f1f) return 'nop';
  if (repeat === 0xf3) return 'pause';
  return size(d) === 4 ? 'nop' : 'xchg';
}

/** The mnemonic of the row in `d`, with its prefixes and its suffix. */
export function mnemonicText(d: Int32Array, head: Head): string {
  const bare = item(BY_NUMBER, cell(d, FIELD.FAMILY))(d, head);
  return prefixText(d, head) + bare + suffixOf(d, head);
}

/** Without a register among its operands, the mnemonic of one in memory says how wide it is. */
function suffixOf(d: Int32Array, { opcode, segment, modrm }: Head): string {
  const family = d[FIELD.FAMILY];
  if (family === FAMILY.JCC && (segment === 0x2e || segment === 0x3e))
    return segment === 0x2e ? ',pn' : ',pt';
  if (opcode === 0x0f1f && modrm < 0xc0) return suffix(size(d));
  const isAlone = d[FIELD.FORM] === FORM.M || d[FIELD.FORM] === FORM.MI;
  return isAlone && family !== FAMILY.SETCC ? suffix(size(d)) : '';
}

function prefixText(d: Int32Array, { opcode, repeat, segment }: Head): string {
  const [family, form] = [cell(d, FIELD.FAMILY), cell(d, FIELD.FORM)];
  const isTransfer = family === FAMILY.CALL || family === FAMILY.JUMP;
  const notrack = isTransfer && form !== FORM.I && segment === 0x3e ? 'notrack ' : '';
  const isNear = isTransfer || family === FAMILY.RETURN || family === FAMILY.JCC;
  if (isNear && repeat === 0xf2 && opcode !== 0xeb) return `${notrack}bnd `;
  if (isNear) return opcode === 0xc3 && repeat === 0xf3 ? 'rep ' : notrack;
  if (form !== FORM.MR && form !== FORM.MI) return '';
  if (repeat === 0xf3 && (family === FAMILY.MOV || family === FAMILY.EXCHANGE)) return 'xrelease ';
  return repeat === 0xf2 && family === FAMILY.EXCHANGE ? 'xacquire ' : '';
}

/** The operands of the row in `d`, sources first, as they are after a mnemonic. */
export function operandsText(d: Int32Array, head: Head): string {
  return operandsOf(d, head).join(',');
}

function operandsOf(d: Int32Array, head: Head): string[] {
  const family = cell(d, FIELD.FAMILY);
  if (family === FAMILY.NOP) return nopOperands(d, head);
  const a = () => register(cell(d, FIELD.A), family === FAMILY.EXTEND ? cell(d, FIELD.IMM_LO) : size(d));
  const b = () => register(cell(d, FIELD.B), size(d));
  const star = family === FAMILY.CALL || family === FAMILY.JUMP ? '*' : '';
  const count = family === FAMILY.SHIFT ? ['%cl'] : [];
  switch (d[FIELD.FORM]) {
    case FORM.RR:
      // The short forms of `xchg` name the accumulator first.
      return head.opcode >= 0x90 && head.opcode <= 0x97 ? [a(), b()] : [b(), a()];
    case FORM.RM:
      return [memory(d, head), a()];
    case FORM.MR:
      return [b(), memory(d, head)];
    case FORM.RI:
      return [immediateText(d), a()];
    case FORM.MI:
      return [immediateText(d), memory(d, head)];
    case FORM.R:
      return [...count, `${star}${a()}`];
    case FORM.M:
      return [...count, `${star}${memory(d, head)}`];
    case FORM.I:
      return [immediateText(d)];
    case FORM.RRI:
      return a() === b() ? [immediateText(d), a()] : [immediateText(d), b(), a()];
    case FORM.RMI:
      return [immediateText(d), memory(d, head), a()];
    default:
      return [];
  }
}

/** The decoder keeps of a nop's operand only the address. */
function nopOperands(d: Int32Array, head: Head): string[] {
  const { opcode, modrm, rex, repeat } = head;
  if (opcode === 0x0f1f)
    return [modrm < 0xc0 ? memory(d, head) : name((modrm & 7) | ((rex & 1) << 3), size(d))];
  return opcode === 0x90 && repeat !== 0xf3 && size(d) !== 4 ? [name(0, size(d)), name(0, size(d))] : [];
}

const name = (number: number, bytes: number): string => `%${registerName(number, bytes as Width)}`;
const register = (field: number, bytes: number): string => name(field / REG_STRIDE, bytes);

/** Bytes of an immediate: the operand's, but those of shifts and returns have a width of their own. */
function immediateBytes(d: Int32Array): number {
  const family = d[FIELD.FAMILY];
  return family === FAMILY.SHIFT ? 1 : family === FAMILY.RETURN ? 2 : size(d);
}

/** The target of a branch with all its digits, or an immediate without its sign. */
function immediateText(d: Int32Array): string {
  const value = { hi: cell(d, FIELD.IMM_HI), lo: cell(d, FIELD.IMM_LO) };
  const family = d[FIELD.FAMILY];
  const isTarget = family === FAMILY.CALL || family === FAMILY.JUMP || family === FAMILY.JCC;
  const text = toHex(zeroExtended(value, immediateBytes(d)));
  return isTarget ? `0x${text.slice(2).padStart(16, '0')}` : `$${text}`;
}

/** An address without registers is written whole, also that of an operand relative to `rip`. */
function memory(d: Int32Array, { modrm, sib }: Head): string {
  const [base, index] = [cell(d, FIELD.BASE), cell(d, FIELD.INDEX)];
  const gs = d[FIELD.GS] === 1 ? '%gs:' : '';
  const lo = cell(d, FIELD.DISP_LO);
  if (base === NO_REGISTER && index === NO_REGISTER) return gs + toHex({ hi: cell(d, FIELD.DISP_HI), lo });
  const disp = lo === 0 ? '' : `${lo < 0 ? '-' : ''}0x${Math.abs(lo).toString(16)}`;
  const scale = 1 << cell(d, FIELD.SCALE);
  const times = scale === 1 ? '' : `,${scale}`;
  // A SIB byte that scales no index leaves iced's comma.
  const hasBareScale = (modrm & 7) === 4 && sib >= 0x40;
  const by = index === NO_REGISTER ? (hasBareScale ? ',' : '') : `,${register(index, 8)}${times}`;
  return `${gs}${disp}(${base === NO_REGISTER ? '' : register(base, 8)}${by})`;
}
