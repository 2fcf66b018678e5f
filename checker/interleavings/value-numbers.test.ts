import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueNumbers } from './value-numbers.ts';

test('values of any size have each a number of their own, under which they are read back', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(40), fc.integer()), { maxLength: 400 }), (added) => {
      const numbers = new ValueNumbers();
      const given = added.map((value) => numbers.numberOf(value));
      expect(given.map((number) => numbers.get(number))).toEqual(added);
      expect(added.map((value) => numbers.find(value))).toEqual(given);
      expect(new Set(given).size).toBe(new Set(added).size);
      expect(Math.min(0, ...given)).toBe(0);
    }),
    { seed: 1, numRuns: 100 },
  );
});

test('a large value that never came has no number', () => {
  const numbers = new ValueNumbers();
  numbers.numberOf(-1);
  expect([numbers.find(-1) >= 0, numbers.find(-2)]).toEqual([true, -1]);
});
