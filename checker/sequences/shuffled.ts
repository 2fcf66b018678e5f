import fc from 'fast-check';

/** All of them in an order of the seed. */
export function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const orders = fc.shuffledSubarray([...items], { minLength: items.length });
  return fc.sample(orders, { seed, numRuns: 1 })[0] ?? [];
}
