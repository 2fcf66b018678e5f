import fc from 'fast-check';
import type { Drawable } from '../../checker/sequences/arbitrary.ts';
import type { Action } from '../../model/client/all.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { castOf } from './cast.ts';
import type { HistoryMechanism } from './mechanisms.ts';
import { isBareCall, MECHANISMS, mechanismOf } from './mechanisms.ts';

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
