import { expect, test } from 'vitest';
import { sequenceOf } from '../../checker/sequences/arbitrary.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { sayable } from './cast-history.ts';
import { SAYABLE } from './drawn.ts';

/** Failures come with the calls that they are drawn for, and misuse is seen as a history is run. */
const LATE = /^(failing allocations|misuse)/;

test.each(KERNELS)('what is drawn for %s has players, and can be said', (profile) => {
  for (let n = 0; n < 20; n++) {
    const drawn = sequenceOf(profile, 1, n, SAYABLE);
    const { question, leftOut } = sayable(drawn);
    expect(question?.case.functions ?? drawn.functions).toEqual(drawn.functions);
    expect(leftOut.filter((why) => !LATE.test(why))).toEqual([]);
  }
});
