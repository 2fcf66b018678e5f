import { describe, expect, it } from 'vitest';
import {
  AF,
  ALL_FLAGS,
  CF,
  FROM_ADD,
  FROM_LOGIC,
  FROM_SUB,
  flagBits,
  holds,
  OF,
  PF,
  parity,
  resultBits,
  SF,
  setBits,
  setLazy,
  signOf,
  ZF,
} from './flags.ts';
import { CONDITION } from './instruction.ts';

/** Values at the borders of a width, for sums and differences of every pair. */
const BORDERS: Readonly<Record<number, readonly bigint[]>> = Object.fromEntries(
  [1, 2, 4, 8].map((size) => {
    const half = 1n << BigInt(8 * size - 1);
    const near = [
      0n,
      1n,
      2n,
      15n,
      16n,
      half - 1n,
      half,
      half + 1n,
      2n * half - 16n,
      2n * half - 2n,
      2n * half - 1n,
    ];
    return [size, near];
  }),
);

/** Flags by their definition, in arithmetic that does not overflow. */
function defined(kind: number, size: number, a: bigint, b: bigint): number {
  const bits = 8 * size;
  const exact = kind === FROM_ADD ? a + b : a - b;
  const signed = (value: bigint) => BigInt.asIntN(bits, value);
  const signedExact = kind === FROM_ADD ? signed(a) + signed(b) : signed(a) - signed(b);
  const nibbles = kind === FROM_ADD ? (a & 15n) + (b & 15n) : (a & 15n) - (b & 15n);
  const result = BigInt.asUintN(bits, exact);
  const ones = [...(result & 0xffn).toString(2)].filter((digit) => digit === '1').length;
  return (
    (exact === result ? 0 : CF) |
    (ones % 2 === 0 ? PF : 0) |
    (nibbles < 0n || nibbles > 15n ? AF : 0) |
    (result === 0n ? ZF : 0) |
    (signed(result) < 0n ? SF : 0) |
    (signedExact === signed(result) ? 0 : OF)
  );
}

const halves = (value: bigint) =>
  [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))] as const;

/** Zero-extended halves of a result of `size` bytes. */
function lazily(kind: number, size: number, a: bigint, b: bigint): number {
  const f = new Int32Array(10);
  const result = BigInt.asUintN(8 * size, kind === FROM_ADD ? a + b : a - b);
  setLazy(f, kind, size, ...halves(a), ...halves(b), ...halves(result));
  return flagBits(f);
}

describe('flags of a result at the borders of its width', () => {
  it.each(
    [1, 2, 4, 8].flatMap(
      (size) =>
        [
          ['a sum', FROM_ADD, size],
          ['a difference', FROM_SUB, size],
        ] as const,
    ),
  )('%s (%i) of %i bytes', (_, kind, size) => {
    const pairs = BORDERS[size]!.flatMap((a) => BORDERS[size]!.map((b) => [a, b] as const));
    const wrong = pairs.filter(([a, b]) => lazily(kind, size, a, b) !== defined(kind, size, a, b));
    expect(wrong).toEqual([]);
    expect(pairs).toHaveLength(121);
  });

  it('a logical result has no carry, no overflow and no adjustment', () => {
    const f = new Int32Array(10);
    setLazy(f, FROM_LOGIC, 8, -1, -1, -1, -1, 0, -0x80000000);
    expect(flagBits(f)).toBe(SF | PF);
    setLazy(f, FROM_LOGIC, 8, 0, 0, 0, 0, 0, 1);
    expect(flagBits(f)).toBe(PF);
  });

  it('bits that were set at once are given back', () => {
    const f = new Int32Array(10);
    setBits(f, ALL_FLAGS);
    expect(flagBits(f)).toBe(ALL_FLAGS);
    setBits(f, 0);
    expect(flagBits(f)).toBe(0);
  });
});

describe('conditions', () => {
  it('zero is both halves of a lazy result', () => {
    const f = new Int32Array(10);
    for (const [lo, hi, zero] of [
      [0, 0, true],
      [1, 0, false],
      [0, 1, false],
    ] as const) {
      setLazy(f, FROM_LOGIC, 8, 0, 0, 0, 0, lo, hi);
      expect([holds(f, CONDITION.E), holds(f, CONDITION.E + 1)]).toEqual([zero, !zero]);
    }
  });

  it.each(Object.entries(CONDITION))(
    'condition %s is the same of lazy flags and of their bits',
    (_, condition) => {
      const lazy = new Int32Array(10);
      const bits = new Int32Array(10);
      for (const a of [0, 1, 0x7f, 0x80, 0xff])
        for (const b of [0, 1, 0x7f, 0x80, 0xff]) {
          setLazy(lazy, FROM_SUB, 1, a, 0, b, 0, (a - b) & 0xff, 0);
          setBits(bits, flagBits(lazy));
          expect(holds(lazy, condition)).toBe(holds(bits, condition));
          expect(holds(lazy, condition | 1)).toBe(!holds(lazy, condition));
        }
    },
  );
});

describe('the parts of a result', () => {
  it.each([
    [0x00, PF],
    [0x01, 0],
    [0x03, PF],
    [0x80, 0],
    [0x81, PF],
    [0xfe, 0],
    [0xff, PF],
    [0x100, PF],
    [0x1fe, 0],
    [-1, PF],
  ])('parity of %i depends on the low byte only', (lo, flag) => {
    expect(parity(lo)).toBe(flag);
  });

  it.each([
    [1, 0x80, 0, true],
    [1, 0x7f, 0, false],
    [1, 0x100, 0, false],
    [2, 0x8000, 0, true],
    [2, 0x80, 0, false],
    [4, -0x80000000, 0, true],
    [4, 0x7fffffff, -1, false],
    [8, -1, 0, false],
    [8, 0, -1, true],
  ])('the sign of %i bytes %i, %i is %s', (size, lo, hi, negative) => {
    expect(signOf(size, lo, hi)).toBe(negative);
    expect(resultBits(size, lo, hi)).toBe((negative ? SF : 0) | ((lo | hi) === 0 ? ZF : 0) | parity(lo));
  });
});
