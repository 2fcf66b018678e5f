/** How a count grows with the number of functions N: constant + linear · N + quadratic · N². */
export interface Growth {
  readonly constant: number;
  readonly linear: number;
  readonly quadratic: number;
}

/** A count that was taken for a number of functions. */
export interface Sample {
  readonly n: number;
  readonly value: number;
}

/**
 * The polynomial of degree two at the most that goes through all samples exactly, by their differences; undefined if
 * there is none. The samples are equally far apart and at least four, so that one more than needed is a check.
 */
export function growthThrough(samples: readonly Sample[]): Growth | undefined {
  const [first, second] = samples;
  if (samples.length < 4 || first === undefined || second === undefined)
    throw new Error('a polynomial of degree two is checked by four samples at least');
  const step = second.n - first.n;
  if (samples.some(({ n }, i) => n !== first.n + i * step)) throw new Error('samples are equally far apart');
  const slopes = differences(samples.map(({ value }) => value));
  const bends = differences(slopes);
  if (bends.some((bend) => bend !== bends[0])) return undefined;
  const quadratic = bends[0]! / (2 * step * step);
  const linear = slopes[0]! / step - quadratic * (first.n + second.n);
  return { constant: first.value - linear * first.n - quadratic * first.n * first.n, linear, quadratic };
}

function differences(values: readonly number[]): number[] {
  return values.slice(1).map((value, i) => value - values[i]!);
}

/** What a growth says for a number of functions. */
export function valueAt({ constant, linear, quadratic }: Growth, n: number): number {
  return constant + linear * n + quadratic * n * n;
}

/** In one word; `irregular` is what no polynomial of degree two goes through. */
export type Order = 'constant' | 'linear' | 'quadratic' | 'irregular';

export function orderOf(growth: Growth | undefined): Order {
  if (growth === undefined) return 'irregular';
  if (growth.quadratic !== 0) return 'quadratic';
  return growth.linear !== 0 ? 'linear' : 'constant';
}
