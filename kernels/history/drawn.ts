import fc from 'fast-check';
import type { Drawable } from '../../checker/sequences/arbitrary.ts';
import { sequenceOf } from '../../checker/sequences/arbitrary.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Action } from '../../model/client/all.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { castOf } from './cast.ts';
import type { HistoryMechanism } from './mechanisms.ts';
import { isBareCall, MECHANISMS, mechanismOf } from './mechanisms.ts';
import type { Pair } from './meetings.ts';
import { meetingOf, pairsOf } from './meetings.ts';

/** Clients of so many mechanisms at most are in most histories: a kernel runs few, and those of all seldom meet there. */
const FEW = 3;
/** One history in so many has clients of all. */
const ALL_ONE_IN = 5;

/** Functions that the recorder has all, and calls that it can make; whether a client would make one is seen as it is run. */
export const SAYABLE: Drawable = (profile, { functions, tracepoints = [] }) => {
  const wording: Wording = { profile, functions, cast: castOf(functions) };
  if (tracepoints.length > 0 || wording.cast.size < functions.length) return undefined;
  return mechanismsOfOne.map(
    (mechanisms) => (action) =>
      isOf(action, mechanisms) &&
      !isBareCall(action, functions) &&
      typeof wireLine(action, wording) === 'string',
  );
};

const mechanismsOfOne = fc
  .tuple(fc.nat(ALL_ONE_IN - 1), fc.shuffledSubarray([...MECHANISMS], { minLength: 1, maxLength: FEW }))
  .map(([n, few]) => (n === 0 ? MECHANISMS : few));

function isOf(action: Action, mechanisms: readonly HistoryMechanism[]): boolean {
  const own = mechanismOf(action);
  return own === undefined || mechanisms.includes(own);
}

/** Every so many histories, two mechanisms meet, as long as there is a pair that has not. */
const MEETING_EVERY = 2;

/** The histories of a seed by their number, from 0: drawn ones, and between them the meetings in an order of the seed. */
export class Histories {
  private readonly pairs: readonly Pair[];

  constructor(
    private readonly profile: string,
    private readonly seed: number,
  ) {
    const all = [...pairsOf(profile)];
    const order = fc.shuffledSubarray(all, { minLength: all.length });
    this.pairs = fc.sample(order, { seed, numRuns: 1 })[0] ?? [];
  }

  at(n: number): AttachCase {
    const pair = n % MEETING_EVERY === 1 ? this.pairs[(n - 1) / MEETING_EVERY] : undefined;
    if (pair !== undefined) return meetingOf(this.profile, pair);
    return sequenceOf(this.profile, this.seed, n, SAYABLE);
  }
}
