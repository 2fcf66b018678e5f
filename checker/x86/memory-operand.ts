import { RSP } from '../../model/x86/register.ts';
import { emitConstant } from './constant.ts';
import type { Draft } from './draft.ts';
import { CODE } from './layout.ts';
import type { Fixup } from './sequence.ts';
import { littleEndian } from './sequence.ts';

/** The bytes of a memory operand: ModRM without its reg field, SIB, displacement, and bits of REX. */
export interface MemoryOperand {
  readonly modrm: number;
  readonly sib: number | undefined;
  readonly displacement: readonly number[];
  /** REX.X and REX.B, and which of the two mean something here. */
  readonly rex: number;
  readonly usedRex: number;
  /** Refers to the displacement; `at` counts from ModRM. */
  readonly fixup: Fixup | undefined;
}

/** Bits of a REX prefix that extend ModRM.reg, the index, and ModRM.rm, the base or the opcode's register. */
export const REX_R = 4;
const REX_X = 2;
export const REX_B = 1;

/** The target of an operand, and the registers that it may use. */
export interface Aim {
  /** Effective address, without the segment's base. */
  readonly address: bigint;
  /** Registers that may be named: eight without a REX prefix. */
  readonly registers: 8 | 16;
  /** How far `rsp` has moved when the address is computed: `pop` raises it before. */
  readonly stackMoves: number;
}

/** A base and an index (4 is none, as in the encoding), and a displacement. */
interface Parts {
  readonly base: number | undefined;
  readonly index: number;
  readonly scale: number;
  readonly displacement: number;
}

const NO_INDEX = 4;
/** Base numbers, by their low three bits, that have another meaning in ModRM. */
const SIB_FOLLOWS = 4;
const NO_BASE = 5;

/** A memory operand with a given address; registers are set up where none has it already. */
export function drawMemory(draft: Draft, aim: Aim): MemoryOperand {
  const { dice } = draft;
  const kind = dice.below(10);
  if (kind < 2 && reaches(CODE.base, aim.address)) return ripRelative(aim.address);
  if (kind < 4 && fitsInt32(aim.address)) {
    const displacement = Number(BigInt.asIntN(32, aim.address));
    return encode(draft, { base: undefined, index: NO_INDEX, scale: 0, displacement });
  }
  if (kind < 8) {
    const parts = fromKnownBase(draft, aim);
    if (parts !== undefined) return encode(draft, parts);
  }
  return encode(draft, dice.chance(60) ? baseSetUp(draft, aim) : indexSetUp(draft, aim));
}

/** A memory operand of LEA or NOP, which is never touched: any registers, known or not. */
export function drawUntouched(draft: Draft, registers: 8 | 16): MemoryOperand {
  const { dice } = draft;
  if (dice.chance(10)) return ripRelative(CODE.base + BigInt(dice.between(-0x4000_0000, 0x4000_0000)));
  return encode(draft, {
    base: dice.chance(15) ? undefined : dice.below(registers),
    index: dice.chance(40) ? NO_INDEX : dice.below(registers),
    scale: dice.below(4),
    displacement: dice.chance(30) ? 0 : dice.immediate(),
  });
}

/** Every instruction of a sequence is within half a page of the start of the code. */
function reaches(from: bigint, address: bigint): boolean {
  const distance = address - from;
  return distance > -0x7fff_f000n && distance < 0x7fff_f000n;
}

function ripRelative(address: bigint): MemoryOperand {
  const fixup: Fixup = { at: 1, bytes: 4, to: { address }, relative: true };
  return { modrm: NO_BASE, sib: undefined, displacement: [0, 0, 0, 0], rex: 0, usedRex: 0, fixup };
}

/** A base whose value is known and near, and a displacement. */
function fromKnownBase(draft: Draft, aim: Aim): Parts | undefined {
  const near = Array.from({ length: aim.registers }, (_, base) => base).filter((base) => {
    const value = valueIn(draft, aim, base);
    return value !== undefined && fitsInt32(aim.address - value);
  });
  if (near.length === 0) return undefined;
  const base = draft.dice.oneOf(near);
  const displacement = Number(BigInt.asIntN(64, aim.address - valueIn(draft, aim, base)!));
  return { base, index: NO_INDEX, scale: 0, displacement };
}

function valueIn(draft: Draft, aim: Aim, register: number): bigint | undefined {
  const value = draft.known[register];
  return value === undefined || register !== RSP ? value : value + BigInt(aim.stackMoves);
}

function fitsInt32(distance: bigint): boolean {
  const signed = BigInt.asIntN(64, distance);
  return BigInt.asIntN(32, signed) === signed;
}

/** A base that is set up, perhaps with an index of any value: sums wrap around 2^64. */
function baseSetUp(draft: Draft, aim: Aim): Parts {
  const { dice } = draft;
  const displacement = drawDisplacement(draft);
  const scale = dice.below(4);
  const index = dice.chance(50) ? NO_INDEX : knownIndex(draft, aim);
  const scaled = index === NO_INDEX ? 0n : draft.known[index]! << BigInt(scale);
  const base = otherThan(draft, aim, index);
  emitConstant(draft, base, BigInt.asUintN(64, aim.address - scaled - BigInt(displacement)));
  return { base, index, scale, displacement };
}

/** No base: an index that is set up, with anything in the bits that the scale shifts out, and a displacement. */
function indexSetUp(draft: Draft, aim: Aim): Parts {
  const { dice } = draft;
  const scale = dice.below(4);
  const below = Number(aim.address & BigInt((1 << scale) - 1));
  const displacement = ((drawDisplacement(draft) >> scale) << scale) + below;
  const index = otherThan(draft, aim, NO_INDEX);
  const quotient = BigInt.asUintN(64, aim.address - BigInt(displacement)) >> BigInt(scale);
  const lost = scale === 0 ? 0n : dice.bits64() << BigInt(64 - scale);
  emitConstant(draft, index, BigInt.asUintN(64, quotient | lost));
  return { base: undefined, index, scale, displacement };
}

function drawDisplacement({ dice }: Draft): number {
  const kind = dice.below(3);
  if (kind === 0) return 0;
  return kind === 1 ? dice.between(-128, 127) : dice.immediate() & ~7;
}

/** A register whose value is known, and which an index can name; one is set up when there is none. */
function knownIndex(draft: Draft, aim: Aim): number {
  const { dice } = draft;
  const index = otherThan(draft, aim, NO_INDEX);
  if (draft.known[index] === undefined) emitConstant(draft, index, dice.word());
  return index;
}

/** A register that may be overwritten: not `rsp`, not `taken`. */
function otherThan(draft: Draft, aim: Aim, taken: number): number {
  for (;;) {
    const register = draft.dice.below(aim.registers);
    if (register !== RSP && register !== taken) return register;
  }
}

/** Chooses among the encodings of one address: any displacement that is wide enough, a SIB byte or none. */
function encode(draft: Draft, { base, index, scale, displacement }: Parts): MemoryOperand {
  const { dice } = draft;
  const low = base === undefined ? NO_BASE : base & 7;
  const needsSib = base === undefined || index !== NO_INDEX || low === SIB_FOLLOWS;
  const hasSib = needsSib || dice.chance(15);
  const bytes = base === undefined ? 4 : drawWidth(draft, low, displacement);
  const mode = base === undefined || bytes === 0 ? 0 : bytes === 1 ? 1 : 2;
  const spare = index === NO_INDEX ? dice.below(4) : scale;
  return {
    modrm: (mode << 6) | (hasSib ? SIB_FOLLOWS : low),
    sib: hasSib ? (spare << 6) | ((index & 7) << 3) | low : undefined,
    displacement: littleEndian(BigInt(displacement), bytes),
    rex: (index >= 8 ? REX_X : 0) | (base !== undefined && base >= 8 ? REX_B : 0),
    usedRex: (hasSib ? REX_X : 0) | (base !== undefined ? REX_B : 0),
    fixup: undefined,
  };
}

/** Bytes of a displacement from a register: often more than it needs. */
function drawWidth({ dice }: Draft, low: number, displacement: number): number {
  const widths = [4];
  if (displacement >= -128 && displacement <= 127) widths.push(1);
  if (displacement === 0 && low !== NO_BASE) widths.push(0);
  return dice.oneOf(widths);
}
