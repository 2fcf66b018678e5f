import type { Drawable } from '../../checker/sequences/arbitrary.ts';
import { wireLine } from '../wire/line.ts';
import { playersOf } from './cast.ts';

/** Functions that the recorder has all, and calls that it can make; whether a client would make one is seen as it is run. */
export const SAYABLE: Drawable = {
  subjects: ({ functions, tracepoints = [] }) =>
    tracepoints.length === 0 && playersOf(functions).size === functions.length,
  action: (action, profile, { functions }) =>
    typeof wireLine(action, { profile, functions, cast: playersOf(functions) }) === 'string',
};
