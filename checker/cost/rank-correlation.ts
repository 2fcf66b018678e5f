import { item } from '../../model/core/present.ts';
/** Two numbers for the same thing. */
export type Pair = readonly [number, number];

/** Ranks from 1; equal values share the mean of theirs. */
export function ranks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

/** Spearman's rank correlation: Pearson's of the ranks. NaN if one side has no order. */
export function spearman(pairs: readonly Pair[]): number {
  const [a, b] = [ranks(pairs.map(([x]) => x)), ranks(pairs.map(([, y]) => y))];
  const mean = (pairs.length + 1) / 2;
  const product = (xs: readonly number[], ys: readonly number[]) =>
    xs.reduce((sum, x, i) => sum + (x - mean) * (item(ys, i) - mean), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** Kendall's tau-b: pairs in the same order less those in the opposite one. NaN if one side has no order. */
export function kendall(pairs: readonly Pair[]): number {
  let [agreeing, onlyLeft, onlyRight] = [0, 0, 0];
  for (const [i, [a, b]] of pairs.entries())
    for (const [c, d] of pairs.slice(i + 1)) {
      const [x, y] = [Math.sign(a - c), Math.sign(b - d)];
      agreeing += x * y;
      onlyLeft += Math.abs(x);
      onlyRight += Math.abs(y);
    }
  return agreeing / Math.sqrt(onlyLeft * onlyRight);
}
