import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairs, withSleepers } from './family.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';
import {
  CALLERS,
  callerIn,
  conditionIn,
  cpuIn,
  sinceIn,
  standing,
  standingIn,
  WORLD,
  worldIn,
} from './state.ts';
import { Store } from './store.ts';
import { Symmetry } from './symmetry.ts';

/** States of calls beside a change of text, and of grace periods that wait for them. */
function spaceOf(
  pair: string,
  client: 0 | 1,
  cpus: number,
  callers: number,
): { space: Space; states: PackedState[] } {
  const { scenario } = pairs(withSleepers('6.12'), cpus, callers).find(({ name }) => name === pair)!;
  const space = new Space({ ...scenario, clients: [scenario.clients[client]!] }, { symmetric: false });
  const store = new Store(space.layout.width);
  store.add(space.initial(), -1, 0);
  for (let index = 0; index < store.size && store.size < 60_000; index++)
    space.visit(store.get(index), (move, next) => {
      if (next !== undefined) store.add(next, index, move);
    });
  return { space, states: Array.from({ length: store.size }, (_, i) => store.get(i)) };
}

/** The same with other names: the n-th CPU and the n-th caller are the ones that these lists say. */
function renamed(
  space: Space,
  state: PackedState,
  cpus: readonly number[],
  callers: readonly number[],
): PackedState {
  const after = state.slice();
  after[WORLD] = space.worldWithCpus(worldIn(state), cpus);
  callers.forEach((from, to) => {
    const now = standingIn(state, from);
    const cpu = cpuIn(now);
    after[CALLERS + 2 * to] = callerIn(state, from);
    after[CALLERS + 2 * to + 1] = standing(conditionIn(now), cpu < 0 ? cpu : cpus.indexOf(cpu), sinceIn(now));
  });
  space.grace.rename(after, callers);
  return after;
}

const orders = (of: number) => {
  const names = Array.from({ length: of }, (_, i) => i);
  return fc.shuffledSubarray(names, { minLength: of });
};

describe.each([
  ['attach f1, register f1', 1, 2, 2],
  ['modify f1, live patch on f1', 0, 2, 2],
  ['attach f1, live patch on f1', 1, 2, 2],
  ['attach f1, live patch on f1', 0, 2, 3],
  ['attach f1, live patch on f1', 1, 2, 3],
  ['attach f1, live patch on f1', 1, 3, 3],
  ['attach f1, live patch on f1', 0, 2, 4],
] as const)('states of %s', (pair, client, cpus, callers) => {
  const { space, states } = spaceOf(pair, client, cpus, callers);
  const symmetry = new Symmetry(space);
  const canonical = (state: PackedState) => symmetry.canonical(state.slice());
  const drawn = fc.constantFrom(...states);

  test('a representative represents itself', () => {
    fc.assert(
      fc.property(drawn, (state) => {
        expect(canonical(canonical(state))).toEqual(canonical(state));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test('states that differ in the names of tasks and CPUs have one representative', () => {
    fc.assert(
      fc.property(drawn, orders(cpus), orders(callers), (state, own, names) => {
        expect(canonical(renamed(space, state, own, names))).toEqual(canonical(state));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });
});
