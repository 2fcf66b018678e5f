import { describe, expect, test } from 'vitest';
import type { Pair } from './rank-correlation.ts';
import { kendall, ranks, spearman } from './rank-correlation.ts';

const pairs = (a: readonly number[], b: readonly number[]): Pair[] => a.map((x, i) => [x, b[i]!]);

describe('rank correlations', () => {
  test('equal values share the mean of their ranks', () => {
    expect(ranks([10, 30, 20, 20])).toEqual([1, 4, 2.5, 2.5]);
  });

  test.each([
    ['the same order', [1, 2, 3, 4], [10, 20, 30, 400], 1, 1],
    ['the opposite order', [1, 2, 3, 4], [9, 8, 7, 6], -1, -1],
    ['two neighbours swapped', [1, 2, 3, 4], [1, 3, 2, 4], 0.8, 2 / 3],
    ['a tie on one side', [1, 2, 3, 4], [1, 2, 2, 4], Math.sqrt(0.9), 5 / Math.sqrt(30)],
  ])('%s', (_, a, b, rho, tau) => {
    expect(spearman(pairs(a, b))).toBeCloseTo(rho, 12);
    expect(kendall(pairs(a, b))).toBeCloseTo(tau, 12);
  });

  test('where one side has no order there is no correlation', () => {
    expect(spearman(pairs([1, 1], [1, 2]))).toBeNaN();
    expect(kendall(pairs([1, 1], [1, 2]))).toBeNaN();
  });
});
