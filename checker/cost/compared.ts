import { item } from '../../model/core/present.ts';
import type { CostClient } from './client.ts';
import type { Growth, GrowthOrder } from './growth.ts';
import { growthThrough, orderOf, valueAt } from './growth.ts';
import type { CostTally, MassCost } from './mass-cost.ts';
import { massCost } from './mass-cost.ts';

/** The cost of a client for several numbers of functions, and how each count of it grows. */
export interface ComparedCost {
  readonly client: CostClient;
  /** One for each number; undefined: it was not run, because of how it grows. */
  readonly runs: readonly (MassCost | undefined)[];
  readonly growth: Grows;
  /** The numbers of functions that were run to find it: for any other it is extrapolated. */
  readonly fitted: readonly number[];
}

export interface Grows {
  /** By the name of a count; undefined: no polynomial of degree two. */
  readonly attach: Growths;
  readonly detach: Growths;
}

export type Growths = Readonly<Record<string, Growth | undefined>>;
export type Phase = keyof Grows;
export const PHASES: readonly Phase[] = ['attach', 'detach'];

/** Counts that do not grow linearly are run for this many functions at most. */
export const NOT_LINEAR_MOST = 1000;

/**
 * Numbers of functions to fit polynomials to: a few small ones; and multiples of the batch of 256 pokes, which also
 * check the fit of the small ones. All are multiples of four, the period in which functions repeat.
 */
const FEW = [8, 16, 24, 32, 40];
const BATCHES = [256, 512, 768, 1024];
const TEST = 512;

/** Runs a client for each number of functions; it yields before each run. */
export function* compareClient(client: CostClient, numbers: readonly number[]): Steps<ComparedCost> {
  const run: Run = function* (n) {
    yield n;
    return massCost(client, n);
  };
  const { growth, fitted } = yield* growthOf(run);
  const isLinear = orders(growth).every((order) => order === 'linear' || order === 'constant');
  const most = isLinear ? Number.POSITIVE_INFINITY : NOT_LINEAR_MOST;
  const runs: (MassCost | undefined)[] = [];
  for (const n of numbers) runs.push(n <= most ? yield* run(n) : undefined);
  return { client, runs, growth, fitted };
}

type Steps<T> = Generator<number, T, unknown>;
type Run = (n: number) => Steps<MassCost>;

/** A quadratic count shows with a few functions, and is not run for more if these determine it. */
function* growthOf(run: Run): Steps<Pick<ComparedCost, 'growth' | 'fitted'>> {
  const few = fits(FEW, yield* each(FEW, run));
  const isQuadratic = orders(few).includes('quadratic');
  if (isQuadratic && agrees(few, yield* run(TEST))) return { growth: few, fitted: [...FEW, TEST] };
  return { growth: fits(BATCHES, yield* each(BATCHES, run)), fitted: BATCHES };
}

function* each(numbers: readonly number[], run: Run): Steps<MassCost[]> {
  const costs: MassCost[] = [];
  for (const n of numbers) costs.push(yield* run(n));
  return costs;
}

function fits(numbers: readonly number[], costs: readonly MassCost[]): Grows {
  const of = (phase: Phase): Growths => {
    const tallies = costs.map((cost) => tallyOf(cost, phase));
    return Object.fromEntries(
      namesIn(tallies).map((name) => [
        name,
        growthThrough(numbers.map((n, i) => ({ n, value: item(tallies, i)[name] ?? 0 }))),
      ]),
    );
  };
  return { attach: of('attach'), detach: of('detach') };
}

/** Whether polynomials predict another run. */
function agrees(growth: Grows, test: MassCost): boolean {
  return PHASES.every((phase) =>
    Object.entries(growth[phase]).every(
      ([name, growth]) =>
        growth !== undefined &&
        'constant' in growth &&
        valueAt(growth, TEST) === (tallyOf(test, phase)[name] ?? 0),
    ),
  );
}

/** No counts, for a refused run. */
export function tallyOf(cost: MassCost | undefined, phase: Phase): CostTally {
  return cost === undefined || 'refused' in cost ? {} : cost[phase];
}

/** The counts of several runs, in the order of the report. */
export function namesIn(tallies: readonly CostTally[]): string[] {
  return [...new Set(tallies.flatMap((tally) => Object.keys(tally)))];
}

/** How the counts of a client grow. */
export function orders(growth: Grows): GrowthOrder[] {
  return PHASES.flatMap((phase) => Object.values(growth[phase]).map(orderOf));
}

/** The counts that are not zero for a client, in the order of the report. */
export function countNames({ runs, growth }: Pick<ComparedCost, 'runs' | 'growth'>, phase: Phase): string[] {
  const fitted = Object.fromEntries(Object.keys(growth[phase]).map((name) => [name, 0]));
  return namesIn([...runs.map((run) => tallyOf(run, phase)), fitted]);
}
