import { RSP } from '../../model/x86/register.ts';
import type { Draft } from './draft.ts';
import { CODE, contains, DATA, LOW, PAGE_BYTES, SLOTS, STACK } from './layout.ts';

/** What an instruction does with its memory operand. */
export interface Access {
  /** Bytes. */
  readonly bytes: number;
  readonly writes: boolean;
  /** Must not cross a line of the cache: see `drawTarget()`. */
  readonly locked: boolean;
  readonly stackMoves: number;
}

/** Memory operands in a hundred that are aimed at what cannot be accessed. */
const WILD_PERCENT = 2;
/** Bytes of a line of the cache. */
const LINE_BYTES = 64n;

/**
 * The address of a memory operand: scratch memory, code when it is only read, and now and then where the access
 * faults, which ends the sequence. XCHG locks the bus, and a kernel may slow down a process that does so across
 * two lines of the cache, so those operands stay within one.
 */
export function drawTarget(draft: Draft, access: Access): bigint {
  if (!draft.guarded && draft.dice.chance(WILD_PERCENT)) {
    draft.ended = true;
    return drawWild(draft, access);
  }
  for (;;) {
    const address = drawMapped(draft, access);
    if (!access.locked || (address % LINE_BYTES) + BigInt(access.bytes) <= LINE_BYTES) return address;
  }
}

function drawMapped(draft: Draft, access: Access): bigint {
  const { dice } = draft;
  const kind = dice.below(100);
  if (kind < 6 && !access.writes) return CODE.base + BigInt(drawOffset(draft, 0, PAGE_BYTES, access.bytes));
  if (kind < 26) return LOW.base + BigInt(drawOffset(draft, 0, PAGE_BYTES, access.bytes));
  if (kind < 50) {
    const from = stackFloor(draft, access);
    if (from !== undefined) return STACK.base + BigInt(drawOffset(draft, from, PAGE_BYTES, access.bytes));
  }
  const [from, to] = dice.chance(75) ? [0, SLOTS.from] : [SLOTS.to, PAGE_BYTES];
  return DATA.base + BigInt(drawOffset(draft, from, to, access.bytes));
}

/** Offset of the lowest byte of the stack that may be accessed; undefined when that is not known. */
function stackFloor(draft: Draft, { bytes, stackMoves }: Access): number | undefined {
  const rsp = draft.known[RSP];
  if (draft.guarded || rsp === undefined || !contains(STACK, rsp + BigInt(stackMoves), bytes))
    return undefined;
  return Number(rsp - STACK.base) + stackMoves;
}

/** The first or last place that fits, an aligned one, or any. */
function drawOffset({ dice }: Draft, from: number, to: number, bytes: number): number {
  const kind = dice.below(20);
  if (kind === 0) return from;
  if (kind === 1) return to - bytes;
  const offset = dice.between(from, to - bytes);
  return kind < 12 ? Math.max(from, offset & -bytes) : offset;
}

const NON_CANONICAL = [0x0000_8000_0000_0000n, 0x1234_5678_9abc_def0n, 0xffff_7fff_ffff_fff0n];
const KERNEL = [0xffff_8000_0000_0000n, 0xffff_ffff_8100_0000n];

/** An address that faults: unmapped, half mapped, not canonical, the kernel's, or read-only. */
function drawWild(draft: Draft, { bytes, writes }: Access): bigint {
  const { dice } = draft;
  const page = dice.oneOf([CODE, DATA, STACK, LOW]);
  const kind = dice.below(6);
  if (kind === 0) return BigInt(dice.below(PAGE_BYTES));
  if (kind === 1) return dice.oneOf(NON_CANONICAL) + BigInt(dice.below(16));
  if (kind === 2) return dice.oneOf(KERNEL) + BigInt(dice.below(PAGE_BYTES));
  if (kind === 3 && writes) return CODE.base + BigInt(dice.below(PAGE_BYTES - bytes));
  const inside = bytes > 1 && page !== STACK ? dice.between(1, bytes - 1) : 0;
  if (kind === 4) return page.base + BigInt(PAGE_BYTES - inside);
  return page.base - BigInt(bytes - inside);
}
