import { describe, expect, test } from 'vitest';
import { growthThrough, orderOf, polynomialThrough, valueAt } from './growth.ts';

const samples = (of: (n: number) => number, ...ns: number[]) => ns.map((n) => ({ n, value: of(n) }));

describe('how a count grows', () => {
  test.each([
    ['constant', () => 7],
    ['linear', (n: number) => 3 * n - 1],
    ['quadratic', (n: number) => 1.5 * n * n + 2.5 * n - 1],
  ] as const)('%s: the polynomial is found exactly, and says the rest', (order, of) => {
    const growth = polynomialThrough(samples(of, 8, 16, 24, 32))!;
    expect(orderOf(growth)).toBe(order);
    for (const n of [1, 38, 1000, 50_000]) expect(valueAt(growth, n)).toBe(of(n));
  });

  test.each([
    ['cubic', (n: number) => n ** 3],
    ['by steps', (n: number) => Math.ceil(n / 20)],
    ['of another kind at the end', (n: number) => (n > 30 ? n + 1 : n)],
  ])('%s: no polynomial is claimed', (_, of) => {
    expect(polynomialThrough(samples(of, 8, 16, 24, 32, 40))).toBeUndefined();
  });

  test.each([
    [
      'tables that double',
      (n: number) => 2 ** Math.ceil(Math.log2(n)),
      'linear',
      { least: 1, most: 4 / 3, times: 'N' },
    ],
    [
      'how often they double',
      (n: number) => Math.ceil(Math.log2(n)),
      'constant',
      { least: 8, most: 10, times: '1' },
    ],
    ['a cube', (n: number) => n ** 3, 'irregular', undefined],
  ] as const)('%s: bounds are reported if they are within a factor of two', (_, of, order, bounds) => {
    const growth = growthThrough(samples(of, 256, 512, 768, 1024));
    expect(growth).toEqual(bounds);
    expect(orderOf(growth)).toBe(order);
  });

  test('too few samples, and unequal distances, are refused', () => {
    expect(() => polynomialThrough(samples((n) => n, 8, 16, 24))).toThrow('four samples at least');
    expect(() => polynomialThrough(samples((n) => n, 8, 16, 24, 33))).toThrow('equally far apart');
    expect(() => growthThrough(samples((n) => n, 8, 9, 10, 11))).toThrow('within a factor of two');
  });
});
