import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairNumbers } from './pair-numbers.ts';

/** Numbers of few and of many bits: together more than 32, so that pairs take both planes. */
const pairs = fc.array(fc.tuple(fc.nat(2 ** 23), fc.oneof(fc.nat(3), fc.nat(2 ** 24))), { maxLength: 400 });

test('pairs have the numbers of a map, and are found and read back under them', () => {
  fc.assert(
    fc.property(pairs, (added) => {
      const numbers = new PairNumbers();
      const known = new Map<string, number>();
      for (const [left, right] of added) {
        const key = `${left} ${right}`;
        expect(numbers.find(left, right)).toBe(known.get(key) ?? -1);
        if (!known.has(key)) known.set(key, known.size);
        expect(numbers.numberOf(left, right)).toBe(known.get(key));
      }
      const read = Array.from(
        { length: numbers.size },
        (_, i) => `${numbers.leftOf(i)} ${numbers.rightOf(i)}`,
      );
      expect(read).toEqual([...known.keys()]);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('a million pairs take at most fourteen bytes each, and are all found again', () => {
  const numbers = new PairNumbers();
  const many = 1_000_000;
  const leftOf = (i: number) => Math.imul(i, 0x9e3779b1) >>> 12;
  for (let i = 0; i < many; i++) numbers.numberOf(leftOf(i), i & 0xffff);
  const size = numbers.size;
  let moved = 0;
  for (let i = 0; i < many; i++) if (numbers.find(leftOf(i), i & 0xffff) < 0) moved++;
  expect([size > 0.9 * many, moved]).toEqual([true, 0]);
  expect(numbers.bytes / size).toBeLessThan(14);
});

test('parts that need more bits than a pair has are refused', () => {
  const numbers = new PairNumbers();
  numbers.numberOf(2 ** 26, 0);
  expect(() => numbers.numberOf(0, 2 ** 26)).toThrow('more different parts of states than fit');
});
