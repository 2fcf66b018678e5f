import { last } from '../../model/core/present.ts';
import { RAX, RBP, RCX, RDX, RSP } from '../../model/x86/register.ts';
import type { Dice } from './dice.ts';
import { undefinedAfter } from './flag-effects.ts';
import { CODE, DATA, LOW, STACK } from './layout.ts';
import type { Drawn, Patch } from './sequence.ts';

/**
 * A sequence while it is being drawn: the instructions so far, and what is known, without executing any, about
 * the state after them. The knowledge is what places operands in memory and keeps undefined flags from being
 * read; it comes from the table alone, so that nothing that is drawn depends on the emulator.
 */
export interface Draft {
  readonly dice: Dice;
  readonly gsBase: bigint;
  /** Values of the registers, where they are the same on every path. */
  known: (bigint | undefined)[];
  /** Flags that some path leaves undefined. */
  undefinedFlags: number;
  readonly instructions: Drawn[];
  readonly patches: Patch[];
  /** The knowledge at the branches to a later step. */
  readonly joins: Join[];
  step: number;
  /** The last instruction stops the run for certain. */
  ended: boolean;
  /** The stack holds a return address that must stay: leave it and `rsp` alone. */
  guarded: boolean;
}

interface Join {
  readonly step: number;
  readonly known: readonly (bigint | undefined)[];
  readonly undefinedFlags: number;
}

export function newDraft(dice: Dice): Draft {
  const known = Array.from({ length: 16 }, () => dice.word());
  known[RSP] = stackPlace(dice);
  return {
    dice,
    gsBase: drawGsBase(dice),
    known,
    undefinedFlags: 0,
    instructions: [],
    patches: [],
    joins: [],
    step: 0,
    ended: false,
    guarded: false,
  };
}

/** A short way from zero, so that an address without it is mapped too, or a page; mostly aligned. */
function drawGsBase(dice: Dice): bigint {
  const near = dice.chance(60) ? BigInt(8 * dice.below(0x40)) : dice.oneOf([CODE, DATA, STACK, LOW]).base;
  return dice.chance(75) ? near : near + BigInt(dice.below(8));
}

/** Somewhere on the stack with space on both sides, mostly aligned. */
export function stackPlace(dice: Dice): bigint {
  const offset = dice.between(0x80, 0xf00);
  return STACK.base + BigInt(dice.chance(85) ? offset & ~7 : offset);
}

/** Adds an instruction, and forgets or learns what it changes. `written` are the registers that it writes. */
export function emit(draft: Draft, drawn: Drawn, written: readonly number[]): void {
  draft.instructions.push(drawn);
  const { name } = drawn.encoding;
  const cl = draft.known[RCX];
  const count = drawn.count ?? (cl === undefined ? undefined : Number(cl & 0xffn));
  draft.undefinedFlags = undefinedAfter(draft.undefinedFlags, name, { size: drawn.size, count });
  moveStack(draft, drawn);
  for (const register of written) draft.known[register] = undefined;
  for (const register of IMPLICIT[name]?.(drawn) ?? []) draft.known[register] = undefined;
}

/** Registers that an instruction writes without naming them. */
const IMPLICIT: Readonly<Record<string, (drawn: Drawn) => readonly number[]>> = {
  MUL: () => [RAX, RDX],
  IMUL: ({ encoding }) => (encoding.operands.length === 1 ? [RAX, RDX] : []),
  CBW: () => [RAX],
  CWD: () => [RDX],
  LEAVE: () => [RBP],
};

function moveStack(draft: Draft, { encoding, body }: Drawn): void {
  const by = STACK_MOVES[encoding.name];
  if (by === undefined) return;
  const from = draft.known[encoding.name === 'LEAVE' ? RBP : RSP];
  const more = encoding.operands[0] === 'Iw' ? body.at(-2)! | (last(body) << 8) : 0;
  draft.known[RSP] = from === undefined ? undefined : BigInt.asUintN(64, from + BigInt(by + more));
}

/** Bytes that an instruction adds to the stack pointer. */
const STACK_MOVES: Readonly<Record<string, number>> = {
  PUSH: -8,
  PUSHF: -8,
  CALL: -8,
  POP: 8,
  POPF: 8,
  RET: 8,
  LEAVE: 8,
};

/** Records what is known here for the target step of a branch. */
export function branchTo(draft: Draft, step: number): void {
  draft.joins.push({ step, known: [...draft.known], undefinedFlags: draft.undefinedFlags });
}

/** Keeps the knowledge that holds on every path to the step that starts now. */
export function joinPaths(draft: Draft): void {
  for (const { step, known, undefinedFlags } of draft.joins) {
    if (step !== draft.step) continue;
    draft.known = draft.known.map((value, i) => (value === known[i] ? value : undefined));
    draft.undefinedFlags |= undefinedFlags;
  }
}
