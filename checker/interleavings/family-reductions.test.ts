import { describe, expect, test } from 'vitest';
import { someOf } from '../../test/thorough.ts';
import { pairs, withSleepers } from './family.ts';
import type { SpaceOptions } from './space.ts';
import { verdictOf } from './verdict-rig.ts';

/*
 * Every scenario of the family that can be finished without a reduction comes to the same verdict with it.
 */

const SCENARIOS = ['6.1', '6.12', '7.2'].flatMap((kernel) =>
  pairs(withSleepers(kernel), 1, 1).map(({ name, scenario }) => ({ title: `${kernel}: ${name}`, scenario })),
);

/** Links to many functions take dozens of locks: in any order these are too many states. */
const ORDERED = SCENARIOS.filter(({ title }) => !title.includes('multi'));

/** With such a link, those that end soon. */
const SMALL_MULTI =
  /: (register|unregister|live patch o(n|ff)|modify) f., (at|de)tach multi f2$|: (register|unregister|live patch on) f2, attach multi f1\+f2$/;
const FEWER = SCENARIOS.filter(({ title }) => !title.includes('multi') || SMALL_MULTI.test(title));

describe.each<readonly [string, SpaceOptions, readonly (typeof SCENARIOS)[number][]]>([
  ['the order of a table that says nothing', { keepsOrder: true }, someOf(ORDERED, 29)],
  ['unseen moves and needless preemption', { reduce: false }, someOf(FEWER, 61)],
])('%s', (_, options, scenarios) => {
  test.each([...scenarios])(
    '$title',
    ({ scenario }) => {
      const { states, ...reduced } = verdictOf(scenario, {});
      const { states: all, ...full } = verdictOf(scenario, options);
      expect(full).toEqual(reduced);
      expect(all).toBeGreaterThanOrEqual(states);
    },
    300_000,
  );
});
