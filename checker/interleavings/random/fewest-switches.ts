import { item } from '../../../model/core/present.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { Space } from '../space.ts';
import type { Same, ToldSchedule } from './told.ts';
import { follow } from './told.ts';

/**
 * The same moves in another order, with fewer switches between actors: each run of one actor is tried next to its
 * previous run, and stays there if the moves are still possible and break the law.
 */
export function fewestSwitches(
  scenario: Scenario,
  same: Same,
  told: readonly ToldSchedule[],
): readonly ToldSchedule[] {
  const space = new Space(scenario, { program: same.program, symmetric: false });
  let best = told;
  for (let changed = true; changed; ) {
    changed = false;
    for (const other of reorderings(best)) {
      if (switches(other) >= switches(best)) continue;
      const way = follow(space, same, other, 'all');
      if (way === undefined) continue;
      best = way.told;
      changed = true;
      break;
    }
  }
  return best;
}

function switches(told: readonly ToldSchedule[]): number {
  return told.reduce((count, { who }, i) => (i > 0 && item(told, i - 1).who !== who ? count + 1 : count), 0);
}

/** A run of one actor moved to its run before, or that one to it. */
function* reorderings(told: readonly ToldSchedule[]): Generator<readonly ToldSchedule[]> {
  const runs: ToldSchedule[][] = [];
  for (const schedule of told) {
    const run = runs.at(-1);
    if (run !== undefined && item(run, 0).who === schedule.who) run.push(schedule);
    else runs.push([schedule]);
  }
  for (let i = 2; i < runs.length; i++) {
    const j = runs.slice(0, i).findLastIndex((run) => item(run, 0).who === item(item(runs, i), 0).who);
    if (j < 0) continue;
    const between = runs.slice(j + 1, i);
    yield [...runs.slice(0, j + 1), item(runs, i), ...between, ...runs.slice(i + 1)].flat();
    yield [...runs.slice(0, j), ...between, item(runs, j), item(runs, i), ...runs.slice(i + 1)].flat();
  }
}
