import { describe, expect, test } from 'vitest';
import { growthThrough, orderOf, valueAt } from './growth.ts';

const samples = (of: (n: number) => number, ...ns: number[]) => ns.map((n) => ({ n, value: of(n) }));

describe('how a count grows', () => {
  test.each([
    ['constant', () => 7],
    ['linear', (n: number) => 3 * n - 1],
    ['quadratic', (n: number) => 1.5 * n * n + 2.5 * n - 1],
  ] as const)('%s: the polynomial is found exactly, and says the rest', (order, of) => {
    const growth = growthThrough(samples(of, 8, 16, 24, 32))!;
    expect(orderOf(growth)).toBe(order);
    for (const n of [1, 38, 1000, 50_000]) expect(valueAt(growth, n)).toBe(of(n));
  });

  test.each([
    ['cubic', (n: number) => n ** 3],
    ['by steps', (n: number) => Math.ceil(n / 20)],
    ['of another kind at the end', (n: number) => (n > 30 ? n + 1 : n)],
  ])('%s: no polynomial is claimed', (_, of) => {
    const growth = growthThrough(samples(of, 8, 16, 24, 32, 40));
    expect(growth).toBeUndefined();
    expect(orderOf(growth)).toBe('irregular');
  });

  test('too few samples, and unequal distances, are refused', () => {
    expect(() => growthThrough(samples((n) => n, 8, 16, 24))).toThrow('four samples at least');
    expect(() => growthThrough(samples((n) => n, 8, 16, 24, 33))).toThrow('equally far apart');
  });
});
