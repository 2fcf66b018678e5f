import { last } from '../../model/core/present.ts';
import type { Draft } from './draft.ts';
import { emit } from './draft.ts';
import type { Encoding } from './encodings.ts';
import { REX_B } from './memory-operand.ts';
import type { Operands, Through } from './operands.ts';
import { drawOperands } from './operands.ts';
import type { Fixup, Reference } from './sequence.ts';

/** The fixed properties of an instruction before it is drawn. */
export interface DrawnWish {
  /** The target of a direct branch. */
  readonly to?: Reference;
  /** The place of an indirect branch's target. */
  readonly through?: Through;
  readonly condition?: number;
}

const REX = 0x40;
const REX_W = 8;
/** Instructions in a hundred that are written as an assembler does, which is what the short forms are for. */
const PLAIN_PERCENT = 40;
/** The longest legal instruction in bytes. */
const LONGEST = 15;

/** Draws one instruction of an encoding, with the instructions that set its memory operand up, and emits it. */
export function emitInstruction(draft: Draft, encoding: Encoding, wish: DrawnWish = {}): void {
  const { dice } = draft;
  const size = drawSize(draft, encoding);
  const widened = size === 8 && encoding.sizes.length > 1;
  const plain = dice.chance(PLAIN_PERCENT);
  const hasRex = widened || (!plain && dice.chance(60));
  const gs = !plain && dice.chance(15);
  const { through } = wish;
  const operands = drawOperands(draft, {
    encoding,
    size,
    registers: hasRex || isNamed(through) ? 16 : 8,
    gs,
    ...(through === undefined ? {} : { through }),
  });
  const needed = REX | operands.rex | (widened ? REX_W : 0);
  const rex =
    hasRex || operands.rex !== 0 ? [plain ? needed : needed | spareRex(draft, encoding, operands)] : [];
  const body = [...rex, ...opcodeOf(encoding, operands, wish), ...tailOf(encoding, operands)];
  const prefixes = drawPrefixes(draft, { encoding, size, gs, plain, length: body.length });
  const offset = rex.length + encoding.opcode.length;
  const fixup = fixupOf(operands, wish, offset, body.length);
  emit(
    draft,
    {
      encoding,
      size,
      prefixes,
      body,
      fixup,
      condition: wish.condition,
      count: encoding.operands[1] === 'CL' ? undefined : (operands.immediate[0] ?? 1),
      step: draft.step,
    },
    operands.written,
  );
}

/** A register that was chosen without knowing whether there would be a REX prefix. */
function isNamed(through: Through | undefined): boolean {
  return through !== undefined && 'register' in through && through.register >= 8;
}

/** Eight bytes more often than the others. */
function drawSize({ dice }: Draft, { sizes }: Encoding): number {
  return dice.chance(25) ? last(sizes) : dice.oneOf(sizes);
}

/** Now and then some bits that have no effect here. */
function spareRex({ dice }: Draft, { line, sizes }: Encoding, { usedRex }: Operands): number {
  const wide = sizes.length === 1 && dice.chance(30) ? REX_W : 0;
  const others = dice.chance(35) ? dice.below(8) & ~usedRex : 0;
  const isExchange = line === '90: NOP';
  return wide | (isExchange ? others & ~REX_B : others);
}

function opcodeOf(encoding: Encoding, operands: Operands, { condition }: DrawnWish): number[] {
  const last = encoding.opcode.length - 1;
  return encoding.opcode.map((byte, i) => (i === last ? byte | operands.low | (condition ?? 0) : byte));
}

function tailOf(encoding: Encoding, { modrm, address, immediate }: Operands): number[] {
  const relative = { Jb: [0], Jz: [0, 0, 0, 0] }[encoding.operands[0] ?? ''] ?? [];
  return [...(modrm === undefined ? [] : [modrm]), ...address, ...immediate, ...relative];
}

/** The field that depends on the place: a RIP-relative operand, or the target of a direct branch. */
function fixupOf({ fixup }: Operands, { to }: DrawnWish, offset: number, length: number): Fixup | undefined {
  if (fixup !== undefined) return { ...fixup, at: fixup.at + offset };
  if (to === undefined) return undefined;
  const bytes = length - offset === 1 ? 1 : 4;
  return { at: offset, bytes, to, relative: true };
}

interface PrefixRequest {
  readonly encoding: Encoding;
  readonly size: number;
  readonly gs: boolean;
  /** None but what is needed. */
  readonly plain: boolean;
  /** Bytes from REX on. */
  readonly length: number;
}

/** The prefixes that are needed, and now and then some that have no effect, in any order. */
function drawPrefixes(draft: Draft, { encoding, size, gs, plain, length }: PrefixRequest): number[] {
  const { dice } = draft;
  const needed = [...(size === 2 ? [0x66] : []), ...(gs ? [0x65] : [])];
  const last = encoding.mandatory === undefined ? [] : [encoding.mandatory];
  const spare = !plain && dice.chance(30) ? [dice.oneOf(ignoredPrefixes(encoding, size))] : [];
  if (!plain && dice.chance(8)) spare.push(dice.oneOf(ignoredPrefixes(encoding, size)));
  const fits = needed.length + spare.length + last.length + length <= LONGEST;
  const prefixes = fits ? [...spare, ...needed] : needed;
  const turn = prefixes.length > 1 ? dice.below(prefixes.length) : 0;
  return [...prefixes.slice(turn), ...prefixes.slice(0, turn), ...last];
}

/** Prefixes that change nothing: segments that 64-bit mode ignores, and F2, F3 and 66 where they have no meaning. */
function ignoredPrefixes({ name, fixed64, mandatory }: Encoding, size: number): number[] {
  const ignored = [0x2e, 0x3e];
  if (name === 'LFENCE') return ignored;
  if (mandatory === undefined) ignored.push(0xf2, 0xf3);
  if (!fixed64 && size !== 4) ignored.push(0x66);
  return ignored;
}
