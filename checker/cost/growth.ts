import { item } from '../../model/core/present.ts';
/** How a count grows with the number of functions N. */
export type Growth = Polynomial | GrowthBetween;

/** Exactly: constant + linear · N + quadratic · N². */
export interface Polynomial {
  readonly constant: number;
  readonly linear: number;
  readonly quadratic: number;
}

/** In steps, as with a table that doubles: between two bounds, constant or proportional to N. */
export interface GrowthBetween {
  readonly least: number;
  readonly most: number;
  readonly times: 'N' | '1';
}

/** The value of a count for a number of functions. */
export interface GrowthSample {
  readonly n: number;
  readonly value: number;
}

/**
 * The polynomial of degree two at most that goes through all samples exactly, by their differences; undefined if
 * there is none. The samples are equally far apart and at least four, so that one more than needed is a check.
 */
export function polynomialThrough(samples: readonly GrowthSample[]): Polynomial | undefined {
  const [first, second] = samples;
  if (samples.length < 4 || first === undefined || second === undefined)
    throw new Error('a polynomial of degree two is checked by four samples at least');
  const step = second.n - first.n;
  if (samples.some(({ n }, i) => n !== first.n + i * step)) throw new Error('samples are equally far apart');
  const slopes = differences(samples.map(({ value }) => value));
  const bends = differences(slopes);
  if (bends.some((bend) => bend !== bends[0])) return undefined;
  const quadratic = item(bends, 0) / (2 * step * step);
  const linear = item(slopes, 0) / step - quadratic * (first.n + second.n);
  return { constant: first.value - linear * first.n - quadratic * first.n * first.n, linear, quadratic };
}

function differences(values: readonly number[]): number[] {
  return values.slice(1).map((value, i) => value - item(values, i));
}

/** The value of a polynomial for a number of functions. */
export function valueAt({ constant, linear, quadratic }: Polynomial, n: number): number {
  return constant + linear * n + quadratic * n * n;
}

/** If samples stay within this factor, the steps are those of a table that doubles. */
const DOUBLING = 2;

/** A polynomial, or, if the samples span a factor of more than two, within which bounds they are. */
export function growthThrough(samples: readonly GrowthSample[]): Growth | undefined {
  const numbers = samples.map(({ n }) => n);
  if (Math.max(...numbers) <= DOUBLING * Math.min(...numbers))
    throw new Error('what doubles is not seen within a factor of two');
  return (
    polynomialThrough(samples) ??
    between(
      samples.map(({ value }) => value),
      '1',
    ) ??
    between(
      samples.map(({ n, value }) => value / n),
      'N',
    )
  );
}

function between(values: readonly number[], times: GrowthBetween['times']): GrowthBetween | undefined {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return most <= DOUBLING * least ? { least, most, times } : undefined;
}

/** In one word; `irregular` is neither a polynomial of degree two nor within a factor of two. */
export type GrowthOrder = 'constant' | 'linear' | 'quadratic' | 'irregular';

export function orderOf(growth: Growth | undefined): GrowthOrder {
  if (growth === undefined) return 'irregular';
  if ('times' in growth) return growth.times === 'N' ? 'linear' : 'constant';
  if (growth.quadratic !== 0) return 'quadratic';
  return growth.linear !== 0 ? 'linear' : 'constant';
}
