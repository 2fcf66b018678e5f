import { item } from '../../model/core/present.ts';
import { ALL_FLAGS } from '../../model/x86/flags.ts';
import { RBP, RSP } from '../../model/x86/register.ts';
import { emitConstant, emitReference } from './constant.ts';
import type { Draft } from './draft.ts';
import { branchTo, emit, stackPlace } from './draft.ts';
import type { Encoding } from './encodings.ts';
import { ENCODINGS, encodingOn } from './encodings.ts';
import { flagsRead } from './flag-effects.ts';
import { emitInstruction } from './instruction.ts';
import { CODE, contains, DATA, PAGE_BYTES, SLOTS, STACK } from './layout.ts';
import type { Through } from './operands.ts';
import type { Reference } from './sequence.ts';
import { littleEndian } from './sequence.ts';

/** Stop the run; drawn at the end of a sequence only. */
export const TRAPS = ENCODINGS.filter(({ name }) => name === 'INT3' || name === 'UD2');

/**
 * Encodings by the name of their instruction, so that a name with many encodings is not drawn more often; but MOV,
 * which trampolines mostly consist of, four times as often.
 */
const GROUPS = grouped(ENCODINGS.filter((encoding) => !TRAPS.includes(encoding)));
const BY_NAME = GROUPS.flatMap((group) =>
  item(group, 0).name === 'MOV' ? [group, group, group, group] : [group],
);

const ON_THE_STACK = ['PUSH', 'POP', 'PUSHF', 'POPF', 'CALL', 'RET'];
/** Neither branches nor uses the stack. */
const PLAIN = BY_NAME.filter(([first]) => ![...ON_THE_STACK, 'LEAVE', 'JMP', 'Jcc'].includes(first!.name));

const CALL = encodingOn('e8: CALL Jz (f64)');
const JUMP = encodingOn('eb: JMP Jb (f64)');
const RET = encodingOn('c3: RET (f64)');
const COMPARE = encodingOn('39: CMP Ev,Gv');
const PUSH_REGISTER = encodingOn('50+r: PUSH Zq (d64)');
const PUSH_IMMEDIATE = encodingOn('68: PUSH Iz (d64)');

function grouped(encodings: readonly Encoding[]): Encoding[][] {
  const names = [...new Set(encodings.map(({ name }) => name))];
  return names.map((name) => encodings.filter((encoding) => encoding.name === name));
}

/** Draws one step: an instruction and whatever has to come before it, or a call with its return. */
export function drawStep(draft: Draft): void {
  const { dice, joins, step } = draft;
  if (dice.chance(3) && joins.every((join) => join.step <= step)) return drawSubroutine(draft);
  const encoding = dice.oneOf(dice.oneOf(BY_NAME));
  prepareStack(draft, encoding);
  drawOne(draft, encoding);
}

function drawOne(draft: Draft, encoding: Encoding): void {
  const { dice } = draft;
  const condition = encoding.low === 'condition' ? dice.below(16) : undefined;
  defineFlags(draft, flagsRead(encoding.name, condition));
  const skipped = encoding.operands[0] === 'Jb' ? 2 : 3;
  const to = { step: draft.step + 1 + dice.below(skipped) };
  const isIndirect = encoding.operands[0] === 'Eq' && (encoding.name === 'CALL' || encoding.name === 'JMP');
  if (encoding.name === 'RET') returnTo(draft, drawTarget(draft, to));
  const through = isIndirect ? passThrough(draft, drawTarget(draft, to)) : undefined;
  const isDirect = encoding.operands[0]?.startsWith('J') === true;
  emitInstruction(draft, encoding, {
    ...(condition === undefined ? {} : { condition }),
    ...(isDirect ? { to } : {}),
    ...(through === undefined ? {} : { through }),
  });
  if (isDirect || isIndirect || encoding.name === 'RET') branchTo(draft, to.step);
}

/** Compares two registers, which defines every flag, when one of `flags` is not defined. */
function defineFlags(draft: Draft, flags: number): void {
  if ((draft.undefinedFlags & flags) !== 0) emitInstruction(draft, COMPARE);
}

/** Target of an indirect branch: a later step, or now and then an address without code. */
function drawTarget(draft: Draft, to: Reference): Reference {
  const { dice } = draft;
  if (!dice.chance(2)) return to;
  draft.ended = true;
  const offset = BigInt(dice.below(PAGE_BYTES));
  return { address: dice.oneOf([DATA.base, CODE.base + BigInt(PAGE_BYTES), 0n]) + offset };
}

/** Leaves the target in a register, or in memory that holds it from the start. */
function passThrough(draft: Draft, to: Reference): Through {
  const { dice, patches } = draft;
  if (dice.chance(50)) {
    const register = (dice.below(15) + RSP + 1) % 16;
    emitReference(draft, register, to);
    return { register };
  }
  const slot = SLOTS.from + patches.length * SLOTS.bytes;
  const address = DATA.base + BigInt(slot + (dice.chance(80) ? 0 : dice.below(8)));
  patches.push({ address, to });
  return { address };
}

/** Pushes the address that a return takes. */
function returnTo(draft: Draft, to: Reference): void {
  const register = (draft.dice.below(15) + RSP + 1) % 16;
  emitReference(draft, register, to);
  pushRegister(draft, register);
}

function pushRegister(draft: Draft, register: number): void {
  const body = [...(register >= 8 ? [0x41] : []), 0x50 | (register & 7)];
  emitDrawn(draft, PUSH_REGISTER, body);
}

function emitDrawn(draft: Draft, encoding: Encoding, body: readonly number[]): void {
  const { step } = draft;
  const drawn = { encoding, size: 8, prefixes: [], body, fixup: undefined, condition: undefined };
  emit(draft, { ...drawn, count: undefined, step }, []);
}

/** Stack accesses in a hundred that start from an unmapped stack pointer. */
const LOST_PERCENT = 1;
const LOST = [0x0n, 0x0000_8000_0000_0000n, STACK.base, STACK.base + BigInt(PAGE_BYTES), CODE.base + 0x800n];

/** Makes `rsp`, and `rbp` for LEAVE, point into the stack, and puts valid flags there for POPF. */
function prepareStack(draft: Draft, { name }: Encoding): void {
  const { dice } = draft;
  if (name === 'LEAVE') return emitConstant(draft, RBP, stackPlace(dice));
  if (!ON_THE_STACK.includes(name)) return;
  const room = 0x40n;
  const rsp = draft.known[RSP];
  if (name !== 'POPF' && name !== 'RET' && dice.chance(LOST_PERCENT)) {
    draft.ended = true;
    emitConstant(draft, RSP, dice.oneOf(LOST));
  } else if (rsp === undefined || !contains(STACK, rsp - room, Number(2n * room)))
    emitConstant(draft, RSP, stackPlace(dice));
  if (name === 'POPF')
    emitDrawn(draft, PUSH_IMMEDIATE, [0x68, ...littleEndian(BigInt(dice.int32() & HARMLESS_FLAGS), 4)]);
}

/** Bits that POPF may write: the status flags, and what user space cannot change (reserved bits, IOPL, IF). */
export const HARMLESS_FLAGS = ALL_FLAGS | 0xffc0_b22a;

/**
 * A call that returns, in four steps of which the second runs last:
 *
 *   call 1f; jmp 2f; 1: one plain instruction; ret; 2:
 */
function drawSubroutine(draft: Draft): void {
  const { dice, step } = draft;
  prepareStack(draft, CALL);
  if (draft.ended) return;
  emitInstruction(draft, CALL, { to: { step: step + 2 } });
  draft.step = step + 1;
  emitInstruction(draft, JUMP, { to: { step: step + 4 } });
  draft.step = step + 2;
  draft.guarded = true;
  drawOne(draft, dice.oneOf(dice.oneOf(PLAIN)));
  draft.guarded = false;
  draft.step = step + 3;
  emitInstruction(draft, RET);
}
