import fc from 'fast-check';
import type { Fail } from '../../../model/client/fail.ts';
import type { InjectedFault } from '../../../model/core/world.ts';
import { faultOf } from '../../../model/core/world.ts';
import { weighed } from '../draw/weighed.ts';
import { FAULTS } from '../faults.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, noObjects } from './searched-call.ts';

/** Mostly the next allocation: with a later one, other calls come before the failure. */
const NTH = fc.constantFrom(1, 1, 1, 1, 2, 3);

export const searchedFail: SearchedCall<Fail> = {
  draw: ({ faults }) => [
    weighed(
      1,
      fc.tuple(fc.constantFrom(...faults), NTH).map(([fault, nth]) => failing(fault, nth)),
    ),
  ],
  isLikely: always,
  effort: 10,
  /** The failures that can be injected in any kernel come before those of a planted bug, and the next one first. */
  optionEffort({ fault: { what, where, nth = 1 } }) {
    const rank = FAULTS.findIndex((fault) => fault.what === what && fault.where === where);
    return (rank < 0 ? FAULTS.length : rank) + (nth - 1) * (FAULTS.length + 1);
  },
  plainer: ({ fault }) => Array.from({ length: (fault.nth ?? 1) - 1 }, (_, i) => failing(fault, i + 1)),
  lifeOf: ({ do: name }, _, index) => `${name} ${index}`,
  objectsOf: noObjects,
};

function failing({ what, where }: InjectedFault, nth: number): Fail {
  return { do: 'fail', fault: faultOf(what, where, nth) };
}
