import { expect, test } from 'vitest';
import { fitCosts, fitOnHalf, meanError } from './cost-model.ts';

const row = (name: string, instructions: number, strayReturns: number, measured: number) => ({
  name,
  instructions,
  strayReturns,
  measured,
});

test('coefficients that explain every row are found', () => {
  const { perInstruction, perStrayReturn } = fitCosts([
    row('a', 100, 0, 5),
    row('b', 200, 1, 16),
    row('c', 40, 2, 14),
  ]);
  expect(perInstruction).toBeCloseTo(0.05, 9);
  expect(perStrayReturn).toBeCloseTo(6, 9);
});

test('a mispredicted return is never a gain', () => {
  const { perInstruction, perStrayReturn } = fitCosts([row('a', 100, 0, 10), row('b', 100, 1, 5)]);
  expect(perStrayReturn).toBe(0);
  // The sum of (x p − 1)² is least here, for x = 10 and 20 instructions per nanosecond.
  expect(perInstruction).toBeCloseTo(30 / 500, 9);
});

test('odd rows of the order are fitted, whatever rows have counts', () => {
  const order = ['none', 'a', 'b', 'c'];
  const rows = [row('a', 10, 0, 1), row('b', 20, 1, 12), row('c', 30, 1, 13)];
  const names = (swapped: boolean) => fitOnHalf(order, rows, swapped).fitted.map(({ name }) => name);
  expect([names(false), names(true)]).toEqual([['b'], ['a', 'c']]);
});

test('errors count without their sign', () => {
  const of = (error: number) => ({ ...row('a', 1, 0, 1), predicted: 1 + error, error });
  expect(meanError([of(0.1), of(-0.3)])).toBeCloseTo(0.2, 9);
});
