import type { Client } from './client.ts';
import type { Growth, Order } from './growth.ts';
import { growthThrough, orderOf, valueAt } from './growth.ts';
import type { MassCost, Tally } from './mass-cost.ts';
import { massCost } from './mass-cost.ts';

/** What a client takes for several numbers of functions, and how each count of it grows. */
export interface Compared {
  readonly client: Client;
  /** One for each number; undefined: it was not run, because of how it grows. */
  readonly runs: readonly (MassCost | undefined)[];
  readonly growth: Grows;
}

export interface Grows {
  /** By the name of a count; undefined: no polynomial of degree two. */
  readonly attach: Growths;
  readonly detach: Growths;
}

export type Growths = Readonly<Record<string, Growth | undefined>>;
export type Phase = keyof Grows;
export const PHASES: readonly Phase[] = ['attach', 'detach'];

/** What does not grow linearly is run for so many functions at the most. */
export const NOT_LINEAR_MOST = 1000;

/**
 * Numbers of functions that polynomials are put through: a few, and, where all is linear, such that pokes fill their
 * batches of 256. All are multiples of four, which is how often functions repeat.
 */
const FEW = [8, 16, 24, 32, 40];
const BATCHES = [256, 512, 768, 1024];

/** Runs a client for each number of functions; it yields before each run. */
export function* compareClient(
  client: Client,
  numbers: readonly number[],
): Generator<number, Compared, unknown> {
  const runFor = function* (n: number): Generator<number, MassCost, unknown> {
    yield n;
    return massCost(client, n);
  };
  const few = yield* each(FEW, runFor);
  const isLinear = orders(growthsOf(FEW, few)).every((order) => order === 'linear' || order === 'constant');
  const most = isLinear ? Number.POSITIVE_INFINITY : NOT_LINEAR_MOST;
  const runs: (MassCost | undefined)[] = [];
  for (const n of numbers) runs.push(n <= most ? yield* runFor(n) : undefined);
  if (isLinear) return { client, runs, growth: growthsOf(BATCHES, yield* each(BATCHES, runFor)) };
  return { client, runs, growth: confirmed(growthsOf(FEW, few), numbers, runs) };
}

type Run = (n: number) => Generator<number, MassCost, unknown>;

function* each(numbers: readonly number[], run: Run): Generator<number, MassCost[], unknown> {
  const costs: MassCost[] = [];
  for (const n of numbers) costs.push(yield* run(n));
  return costs;
}

function growthsOf(numbers: readonly number[], costs: readonly MassCost[]): Grows {
  const of = (phase: Phase): Growths => {
    const tallies = costs.map((cost) => tallyOf(cost, phase));
    return Object.fromEntries(
      namesIn(tallies).map((name) => [
        name,
        growthThrough(numbers.map((n, i) => ({ n, value: tallies[i]![name] ?? 0 }))),
      ]),
    );
  };
  return { attach: of('attach'), detach: of('detach') };
}

/** Nothing, of what was refused. */
export function tallyOf(cost: MassCost | undefined, phase: Phase): Tally {
  return cost === undefined || 'refused' in cost ? {} : cost[phase];
}

/** The counts of several runs, in the order in which they are told. */
export function namesIn(tallies: readonly Tally[]): string[] {
  return [...new Set(tallies.flatMap((tally) => Object.keys(tally)))];
}

/** A polynomial that says something else than a longer run is none of this count. */
function confirmed(
  growth: Grows,
  numbers: readonly number[],
  runs: readonly (MassCost | undefined)[],
): Grows {
  const of = (phase: Phase): Growths =>
    Object.fromEntries(
      Object.entries(growth[phase]).map(([name, one]) => {
        const holds = numbers.every((n, i) => {
          const run = runs[i];
          if (n % FEW[0]! !== 0 || run === undefined || one === undefined) return true;
          return valueAt(one, n) === (tallyOf(run, phase)[name] ?? 0);
        });
        return [name, holds ? one : undefined];
      }),
    );
  return { attach: of('attach'), detach: of('detach') };
}

/** How the counts of a client grow. */
export function orders(growth: Grows): Order[] {
  return PHASES.flatMap((phase) => Object.values(growth[phase]).map(orderOf));
}

/** The counts that a client has any of, in the order in which they are told. */
export function countNames({ runs, growth }: Pick<Compared, 'runs' | 'growth'>, phase: Phase): string[] {
  const fitted = Object.fromEntries(Object.keys(growth[phase]).map((name) => [name, 0]));
  return namesIn([...runs.map((run) => tallyOf(run, phase)), fitted]);
}
