import { expect, test } from 'vitest';
import { someOf } from '../../test/thorough.ts';
import { pairs, withSleepers } from './family.ts';
import { verdictOf } from './verdict-rig.ts';

/*
 * Where the order of entries in a table says nothing: in every scenario that can be finished with all orders, they come
 * to the same verdict as without.
 */

const SCENARIOS = ['6.1', '6.12', '7.2'].flatMap((kernel) =>
  pairs(withSleepers(kernel), 1, 1)
    // Links to many functions take dozens of locks: in any order these are too many states.
    .filter(({ name }) => !name.includes('multi'))
    .map(({ name, scenario }) => ({ title: `${kernel}: ${name}`, scenario })),
);

test.each(someOf(SCENARIOS, 29))(
  '$title',
  ({ scenario }) => {
    const { states, ...merged } = verdictOf(scenario, {});
    const { states: all, ...full } = verdictOf(scenario, { keepsOrder: true });
    expect(full).toEqual(merged);
    expect(all).toBeGreaterThanOrEqual(states);
  },
  300_000,
);
