import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FoundFrom } from './found-from.ts';

/** Parents in order, as a breadth-first search has them, and any others; few moves and many. */
const found = fc.array(
  fc.tuple(fc.oneof(fc.nat(3), fc.integer({ min: -500, max: 70_000 })), fc.oneof(fc.nat(9), fc.nat(2 ** 30))),
  { maxLength: 900 },
);

test('parents and moves are those that were written, one by one and together', () => {
  fc.assert(
    fc.property(found, (steps) => {
      const list = new FoundFrom();
      let parent = -1;
      const parents = steps.map(([step]) => (parent += step));
      const moves = steps.map(([, move]) => move);
      steps.forEach((_, i) => {
        list.push(parents[i]!, moves[i]!);
      });
      expect(steps.map((_, i) => list.parentOf(i))).toEqual(parents);
      expect(steps.map((_, i) => list.moveTo(i))).toEqual(moves);
      expect([...list.saved().parents]).toEqual(parents);
      expect([...list.saved().moves]).toEqual(moves);
    }),
    { seed: 1, numRuns: 100 },
  );
});
