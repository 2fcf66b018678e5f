import fc from 'fast-check';
import type { Fail } from '../../../model/client/fail.ts';
import { weighed } from '../draw/weighed.ts';
import { FAULTS } from '../faults.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, noObjects } from './searched-call.ts';

export const searchedFail: SearchedCall<Fail> = {
  draw: ({ faults }) => [
    weighed(
      1,
      fc.constantFrom(...faults).map((fault) => ({ do: 'fail', fault })),
    ),
  ],
  isLikely: always,
  effort: 10,
  /** The failures that can be injected in any kernel come before those of a planted bug. */
  optionEffort({ fault: { what, where } }) {
    const rank = FAULTS.findIndex((fault) => fault.what === what && fault.where === where);
    return rank < 0 ? FAULTS.length : rank;
  },
  lifeOf: ({ do: name }, _, index) => `${name} ${index}`,
  objectsOf: noObjects,
};
