import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { withSleepers } from './family.ts';
import { drawnScenarios } from './random/draw-scenario.ts';
import { schedules } from './random/schedules.ts';
import type { Option } from './random/walk.ts';
import { allOptions, Walker } from './random/walk.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';

const SCENARIOS = THOROUGH ? 6 : 3;
const WALKS = 6;

/** Everything that the numbers of a state represent, as text. */
function spell(space: Space, state: PackedState): string {
  const callers = space.scenario.callers.map((_, i) => space.callerOf(state, i));
  const clients = space.scenario.clients.map((_, i) => space.clientOf(state, i));
  return JSON.stringify([space.kernelOf(state), callers, clients, space.worksOf(state)]);
}

function take(space: Space, state: PackedState, move: number): Option {
  return allOptions(space, state).find((option) => option.move === move)!;
}

test.each(someOf(['6.12', '7.2', '6.1'], 3))(
  '%s: what was worked out before is what comes out again',
  (profile) => {
    const drawn = drawnScenarios(withSleepers(profile), 4, SCENARIOS);
    let moves = 0;
    for (const scenario of drawn) {
      const old = new Space(scenario, { symmetric: false });
      for (const schedule of fc.sample(schedules, { seed: 5, numRuns: WALKS }))
        moves += compare(scenario, old, new Walker(old, []).walk(schedule(100)).moves);
    }
    expect(moves).toBeGreaterThan(THOROUGH ? 1000 : 500);
  },
  120_000,
);

/** Makes the moves in a space that has made many, and in a fresh one. */
function compare(scenario: Scenario, old: Space, moves: readonly number[]): number {
  const fresh = new Space(scenario, { symmetric: false });
  let state = old.initial();
  let other = fresh.initial();
  for (const move of moves) {
    const { next } = take(old, state, move);
    const { next: again } = take(fresh, other, move);
    expect(again === undefined).toBe(next === undefined);
    if (next === undefined || again === undefined) break;
    expect(spell(fresh, again)).toBe(spell(old, next));
    state = next;
    other = again;
  }
  return moves.length;
}
