import { RSP } from '../../model/x86/register.ts';
import type { Draft } from './draft.ts';
import type { Encoding } from './encodings.ts';
import { operandBytes } from './encodings.ts';
import type { MemoryOperand } from './memory-operand.ts';
import { drawMemory, drawUntouched, REX_B, REX_R } from './memory-operand.ts';
import type { Fixup } from './sequence.ts';
import { littleEndian } from './sequence.ts';
import { drawTarget } from './target.ts';

/** What an encoding is drawn with. */
export interface OperandRequest {
  readonly encoding: Encoding;
  /** Operand size in bytes. */
  readonly size: number;
  /** Registers that may be named: eight without a REX prefix. */
  readonly registers: 8 | 16;
  /** The memory operand is relative to `%gs`. */
  readonly gs: boolean;
  /** The register or address that a branch goes through, instead of a drawn one. */
  readonly through?: Through;
}

/** Where an indirect branch finds its target. */
export type Through = { readonly register: number } | { readonly address: bigint };

/** The operands of one instruction, by the bytes that they become. */
export interface Operands {
  /** REX.R, REX.X and REX.B. */
  rex: number;
  modrm: number | undefined;
  /** Added to the last byte of the opcode. */
  low: number;
  /** SIB byte and displacement. */
  address: readonly number[];
  immediate: readonly number[];
  /** Of the memory operand; `at` counts from ModRM. */
  fixup: Fixup | undefined;
  /** The number of a register that was drawn already. */
  number: number | undefined;
  /** Registers that the instruction writes and names. */
  readonly written: number[];
  /** Bits of REX that mean something here; the others are free. */
  usedRex: number;
}

/** Instructions that only read their first operand, or do not touch it. */
const READ_ONLY = ['CMP', 'TEST', 'PUSH', 'CALL', 'JMP', 'NOP', 'MUL'];

/** Draws the operands of an encoding; sets up registers for a memory operand. */
export function drawOperands(draft: Draft, request: OperandRequest): Operands {
  const drawn: Operands = {
    rex: 0,
    modrm: undefined,
    low: 0,
    address: [],
    immediate: [],
    fixup: undefined,
    number: undefined,
    written: [],
    usedRex: 0,
  };
  const { encoding } = request;
  if (encoding.digit !== undefined) drawn.modrm = encoding.digit << 3;
  if (encoding.name === 'SETcc') drawn.modrm = draft.dice.below(8) << 3;
  encoding.operands.forEach((operand, position) => {
    const isWritten = (position === 0 && !READ_ONLY.includes(encoding.name)) || encoding.name === 'XCHG';
    const register = drawOperand(draft, request, drawn, operand, isWritten);
    if (isWritten && register !== undefined) drawn.written.push(register);
  });
  return drawn;
}

/** Draws one operand; the number of its register, if it is one. */
function drawOperand(
  draft: Draft,
  request: OperandRequest,
  drawn: Operands,
  operand: string,
  isWritten: boolean,
): number | undefined {
  const bytes = operandBytes(operand, request.size);
  switch (operand[0]) {
    case 'G':
      return drawG(draft, request, drawn, bytes, isWritten);
    case 'Z':
      return drawZ(draft, request, drawn, bytes, isWritten);
    case 'M':
    case 'E':
      return drawE(draft, request, drawn, operand, isWritten);
    case 'I':
      drawn.immediate = [...drawn.immediate, ...drawImmediate(draft, request.encoding, bytes)];
      return undefined;
    case 'r':
    case 'A':
      return operand === 'rDX' ? 2 : 0;
    default:
      return undefined;
  }
}

function drawG(
  draft: Draft,
  request: OperandRequest,
  drawn: Operands,
  bytes: number,
  isWritten: boolean,
): number {
  const number = drawRegister(draft, request, drawn, isWritten);
  drawn.modrm = (drawn.modrm ?? 0) | ((number & 7) << 3);
  drawn.usedRex |= REX_R;
  if (number >= 8) drawn.rex |= REX_R;
  return wholeRegister(request, number, bytes);
}

function drawZ(
  draft: Draft,
  request: OperandRequest,
  drawn: Operands,
  bytes: number,
  isWritten: boolean,
): number {
  let number = drawRegister(draft, request, drawn, isWritten);
  if (request.encoding.name === 'XCHG' && number === 0) number = 1;
  drawn.low = number & 7;
  drawn.usedRex |= REX_B;
  if (number >= 8) drawn.rex |= REX_B;
  return wholeRegister(request, number, bytes);
}

/**
 * Any register; one operand twice and `rsp` more often than chance has it, because much code and some short forms
 * are like that. Not `rsp` for a destination while the stack is guarded.
 */
function drawRegister(draft: Draft, request: OperandRequest, drawn: Operands, isWritten: boolean): number {
  const { dice } = draft;
  const any = dice.chance(4) ? RSP : dice.below(request.registers);
  const number = drawn.number !== undefined && dice.chance(12) ? drawn.number : any;
  drawn.number = number === RSP && draft.guarded && isWritten ? 0 : number;
  return drawn.number;
}

/** The register that a number is part of: 4–7 are high bytes when there is no REX prefix. */
function wholeRegister({ registers }: OperandRequest, number: number, bytes: number): number {
  return registers === 8 && bytes === 1 ? number & 3 : number;
}

function drawE(
  draft: Draft,
  request: OperandRequest,
  drawn: Operands,
  operand: string,
  isWritten: boolean,
): number | undefined {
  const { through, encoding } = request;
  const inRegister =
    through === undefined ? operand[0] === 'E' && draft.dice.chance(45) : 'register' in through;
  if (inRegister) {
    const fixed = through !== undefined && 'register' in through ? through.register : undefined;
    const number = fixed ?? drawRegister(draft, request, drawn, isWritten);
    drawn.modrm = (drawn.modrm ?? 0) | 0xc0 | (number & 7);
    drawn.usedRex |= REX_B;
    if (number >= 8) drawn.rex |= REX_B;
    return wholeRegister(request, number, operandBytes(operand, request.size));
  }
  const untouched = encoding.name === 'LEA' || encoding.name === 'NOP';
  const memory = untouched
    ? drawUntouched(draft, request.registers)
    : drawAimed(draft, request, operandBytes(operand, request.size), isWritten);
  drawn.modrm = (drawn.modrm ?? 0) | memory.modrm;
  drawn.rex |= memory.rex;
  drawn.address = memory.sib === undefined ? memory.displacement : [memory.sib, ...memory.displacement];
  drawn.fixup = memory.fixup;
  drawn.usedRex |= memory.usedRex;
  return undefined;
}

function drawAimed(draft: Draft, request: OperandRequest, bytes: number, writes: boolean): MemoryOperand {
  const { encoding, through } = request;
  const stackMoves = encoding.name === 'POP' ? 8 : 0;
  const target =
    through !== undefined && 'address' in through
      ? through.address
      : drawTarget(draft, { bytes, writes, locked: encoding.name === 'XCHG', stackMoves });
  const address = BigInt.asUintN(64, target - (request.gs ? draft.gsBase : 0n));
  return drawMemory(draft, { address, registers: request.registers, stackMoves });
}

/** Counts of shifts are mostly near the widths of operands. */
function drawImmediate({ dice }: Draft, { name }: Encoding, bytes: number): number[] {
  const isShift = ['ROL', 'ROR', 'SHL', 'SHR', 'SAR'].includes(name);
  if (isShift && dice.chance(80)) return [dice.oneOf([0, 1, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64])];
  if (bytes === 8) return littleEndian(dice.word(), 8);
  const staysNear = name === 'RET' && dice.chance(70);
  return littleEndian(BigInt(staysNear ? dice.below(24) * 8 : dice.immediate()), bytes);
}
