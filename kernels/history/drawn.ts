import type { Drawable } from '../../checker/sequences/arbitrary.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { castOf } from './cast.ts';

/** Functions that the recorder has all, and calls that it can make; whether a client would make one is seen as it is run. */
export const SAYABLE: Drawable = (profile, { functions, tracepoints = [] }) => {
  const wording: Wording = { profile, functions, cast: castOf(functions) };
  if (tracepoints.length > 0 || wording.cast.size < functions.length) return undefined;
  return (action) => typeof wireLine(action, wording) === 'string';
};
