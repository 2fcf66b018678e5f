import { cell } from './cell.ts';
import { CONDITION } from './instruction.ts';
import { CONSTANT, MIXED, UNDEFINED } from './origin.ts';

/**
 * Flags are kept as the last result and its operands; a flag is computed when it is read.
 *
 * `KIND` says how the result came about. Operands and result are zero-extended from `SIZE` bytes. Results
 * that do not fit the pattern (shifts, multiplies, carries in) compute their flags at once into `BITS`.
 *
 * Only the six status flags exist. DF, IF and TF are not modelled: no string instruction is, interrupts come
 * from the scheduler of calls, and a trap flag would be a debugger's. A flag that the SDM leaves undefined
 * has some fixed value here, and comparisons with hardware mask it.
 */
export const KIND = 0;
export const SIZE = 1;
export const A_LO = 2;
export const A_HI = 3;
export const B_LO = 4;
export const B_HI = 5;
export const R_LO = 6;
export const R_HI = 7;
const BITS = 8;
/**
 * Origin of the flags: CONSTANT, UNDEFINED, the tag of a variable byte, or ZERO_TEST plus a group. One tag
 * for all six, unless INC or DEC has kept an older CF: then it has SPLIT, and the tag of CF besides. A call of C
 * leaves UNDEFINED, for no calling convention preserves flags.
 */
export const TAG = 9;

export const FROM_BITS = 0;
export const FROM_ADD = 1;
export const FROM_SUB = 2;
export const FROM_LOGIC = 3;

/** In TAG: the flags compare all eight bytes of one group's value with zero; the group is in the low bits. */
export const ZERO_TEST = 0x100;

/** In TAG: CF is older than the other five, and its origin is `CARRY_SHIFT` bits higher. */
const SPLIT = 1 << 30;
const CARRY_SHIFT = 16;
const OWN_TAG = 0x1ff;

/** Bits of RFLAGS, at their architectural positions, so that `pushfq` and `popfq` only mask. */
export const CF = 0x001;
export const PF = 0x004;
export const AF = 0x010;
export const ZF = 0x040;
export const SF = 0x080;
export const OF = 0x800;
export const ALL_FLAGS = CF | PF | AF | ZF | SF | OF;

/** The status flags by name, lowest bit first. */
export const FLAG_BITS = { CF, PF, AF, ZF, SF, OF } as const;

/** The names of the flags that are set: `CF ZF`. */
export function printFlags(bits: number): string {
  const set = Object.entries(FLAG_BITS).filter(([, bit]) => (bits & bit) !== 0);
  return set.map(([name]) => name).join(' ');
}

/**
 * Records the operands and result of an addition, subtraction or logical operation. The origin is CONSTANT
 * until the caller says otherwise.
 */
export function setLazy(
  f: Int32Array,
  kind: number,
  size: number,
  aLo: number,
  aHi: number,
  bLo: number,
  bHi: number,
  rLo: number,
  rHi: number,
): void {
  f[KIND] = kind;
  f[SIZE] = size;
  f[A_LO] = aLo;
  f[A_HI] = aHi;
  f[B_LO] = bLo;
  f[B_HI] = bHi;
  f[R_LO] = rLo;
  f[R_HI] = rHi;
  f[TAG] = CONSTANT;
}

/** The origin of all six flags together. */
export function wholeTag(f: Int32Array): number {
  const tag = cell(f, TAG);
  return (tag & SPLIT) === 0 ? tag : bothTags(tag & OWN_TAG, carryTag(f));
}

/** The origin of CF. */
export function carryTag(f: Int32Array): number {
  const tag = cell(f, TAG);
  return (tag & SPLIT) === 0 ? tag : (tag >>> CARRY_SHIFT) & OWN_TAG;
}

/** The origin of the flags that a condition reads. */
export function conditionTag(f: Int32Array, condition: number): number {
  const tag = cell(f, TAG);
  if ((tag & SPLIT) === 0) return tag;
  // Conditions differ in bit 0 only by their sense.
  const kind = condition & ~1;
  if (kind === CONDITION.B) return carryTag(f);
  return kind === CONDITION.BE ? wholeTag(f) : tag & OWN_TAG;
}

/** Sets the origin of five flags; that of CF stays. */
export function setTagButCarry(f: Int32Array, tag: number, carry: number): void {
  f[TAG] = tag === carry ? tag : SPLIT | (carry << CARRY_SHIFT) | tag;
}

/** The origin of what is computed from two origins. */
function bothTags(a: number, b: number): number {
  if (a === UNDEFINED || b === UNDEFINED) return UNDEFINED;
  if (a === CONSTANT || a === b) return b;
  return b === CONSTANT ? a : MIXED;
}

/** Sets all six flags to given bits; their origin stays as it was. */
export function setBits(f: Int32Array, bits: number): void {
  f[KIND] = FROM_BITS;
  f[BITS] = bits;
}

/** The six status flags in their RFLAGS positions. */
export function flagBits(f: Int32Array): number {
  if (f[KIND] === FROM_BITS) return cell(f, BITS);
  return (
    (carry(f) ? CF : 0) |
    parity(cell(f, R_LO)) |
    adjust(f) |
    ((cell(f, R_LO) | cell(f, R_HI)) === 0 ? ZF : 0) |
    (signOf(cell(f, SIZE), cell(f, R_LO), cell(f, R_HI)) ? SF : 0) |
    (overflow(f) ? OF : 0)
  );
}

/**
 * CF. A sum that is below one of its summands has wrapped; a difference borrows when the subtrahend is
 * larger. Both comparisons are of unsigned 64-bit values, upper halves first; operands of fewer bytes have
 * zero upper halves.
 */
function carry(f: Int32Array): boolean {
  if (f[KIND] === FROM_LOGIC) return false;
  const [loBelow, hiBelow, hiSame] =
    f[KIND] === FROM_ADD
      ? [
          cell(f, R_LO) >>> 0 < cell(f, A_LO) >>> 0,
          cell(f, R_HI) >>> 0 < cell(f, A_HI) >>> 0,
          f[R_HI] === f[A_HI],
        ]
      : [
          cell(f, A_LO) >>> 0 < cell(f, B_LO) >>> 0,
          cell(f, A_HI) >>> 0 < cell(f, B_HI) >>> 0,
          f[A_HI] === f[B_HI],
        ];
  return hiBelow || (hiSame && loBelow);
}

/**
 * OF. Signed overflow: two summands of one sign give the other sign; a difference of unlike signs has not the
 * sign of its minuend.
 */
function overflow(f: Int32Array): boolean {
  if (f[KIND] === FROM_LOGIC) return false;
  const a = signOf(cell(f, SIZE), cell(f, A_LO), cell(f, A_HI));
  const b = signOf(cell(f, SIZE), cell(f, B_LO), cell(f, B_HI));
  const r = signOf(cell(f, SIZE), cell(f, R_LO), cell(f, R_HI));
  return f[KIND] === FROM_ADD ? a === b && r !== a : a !== b && r !== a;
}

/**
 * AF, the carry out of bit 3: bit 4 of the result differs from that of `a ^ b`. Undefined after logical
 * operations; CPUs clear it.
 */
function adjust(f: Int32Array): number {
  return f[KIND] === FROM_LOGIC ? 0 : (cell(f, A_LO) ^ cell(f, B_LO) ^ cell(f, R_LO)) & AF;
}

/** PF when the low byte has an even number of ones, else 0. The other bytes never count, at any operand size. */
export function parity(lo: number): number {
  let x = lo & 0xff;
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return (x & 1) === 0 ? PF : 0;
}

/** Whether the highest bit of a value of `size` bytes is set. */
export function signOf(size: number, lo: number, hi: number): boolean {
  return (size === 8 ? hi : lo << (32 - size * 8)) < 0;
}

/** SF, ZF and PF of a result of `size` bytes. */
export function resultBits(size: number, lo: number, hi: number): number {
  return (signOf(size, lo, hi) ? SF : 0) | ((lo | hi) === 0 ? ZF : 0) | parity(lo);
}

/**
 * Whether a condition code (low four bits of Jcc, SETcc, CMOVcc) holds. The signed comparisons read SF and
 * OF, the unsigned ones CF; `less` is SF != OF.
 */
export function holds(f: Int32Array, condition: number): boolean {
  const base = condition & ~1;
  const negated = (condition & 1) !== 0;
  // Nearly every branch of an image is `je` or `jne`, and ZF alone needs no other flag.
  if (base === CONDITION.E && f[KIND] !== FROM_BITS)
    return ((cell(f, R_LO) | cell(f, R_HI)) === 0) !== negated;
  const bits = flagBits(f);
  const less = ((bits & SF) !== 0) !== ((bits & OF) !== 0);
  return test(base, bits, less) !== negated;
}

function test(base: number, bits: number, less: boolean): boolean {
  switch (base) {
    case CONDITION.O:
      return (bits & OF) !== 0;
    case CONDITION.B:
      return (bits & CF) !== 0;
    case CONDITION.E:
      return (bits & ZF) !== 0;
    case CONDITION.BE:
      return (bits & (CF | ZF)) !== 0;
    case CONDITION.S:
      return (bits & SF) !== 0;
    case CONDITION.P:
      return (bits & PF) !== 0;
    case CONDITION.L:
      return less;
    default:
      return less || (bits & ZF) !== 0;
  }
}
