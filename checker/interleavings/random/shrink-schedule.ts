import type { Scenario } from '../../../properties/observed/scenario.ts';
import type { TaskBreach } from '../judge.ts';
import { possibleSpace } from '../possible-space.ts';
import { InterleavingSearch } from '../search.ts';
import { shortestWay } from '../shortest-way.ts';
import type { Space } from '../space.ts';
import { fewestSwitches } from './fewest-switches.ts';
import type { ScheduleCase } from './simpler.ts';
import { simplerThan } from './simpler.ts';
import type { Same, ToldSchedule, ToldWay } from './told.ts';
import { follow, tell } from './told.ts';

/** The limits of the explorer. */
export interface ShrinkBounds {
  /** States that are explored in a simpler scenario, where replaying the moves does not reach the breach. */
  readonly states: number;
  /** States that are explored in the simplest one for the shortest path. */
  readonly statesAtLast: number;
}

export const SHRINK_BOUNDS: ShrinkBounds = { states: 5_000, statesAtLast: 200_000 };

/** A shrunk finding: the simplest scenario, the shortest path to its breach. */
export interface Shrunk {
  readonly scenario: Scenario;
  readonly breach: TaskBreach;
  readonly moves: readonly number[];
  /** All states up to that distance were visited: there is no shorter path. */
  readonly proved: boolean;
  /** Nor is a breach that does not count as the same nearer. */
  readonly isFirst: boolean;
}

/**
 * The simplest scenario that shows a breach: tasks, operations, actions of the setup are left out one after the
 * other, as long as the remaining moves, or the explorer, still reach it. Then the explorer searches for the shortest
 * path, and among those of that length one with few switches between actors is chosen.
 */
export function shrinkScenario(
  first: Scenario,
  moves: readonly number[],
  same: Same,
  bounds = SHRINK_BOUNDS,
): Shrunk | undefined {
  const told = tell(spaceOf(first, same)!, moves);
  if (told === undefined) return undefined;
  let best: ScheduleCase = { scenario: first, told };
  let breach: TaskBreach | undefined;
  for (let changed = true; changed; ) {
    changed = false;
    for (const simpler of simplerThan(best)) {
      const way = wayIn(simpler, same, bounds.states);
      if (way === undefined) continue;
      best = { scenario: simpler.scenario, told: way.told };
      breach = way.breach;
      changed = true;
      break;
    }
  }
  return shortest(best, breach, same, bounds.statesAtLast);
}

function wayIn({ scenario, told }: ScheduleCase, same: Same, states: number): ToldWay | undefined {
  const space = spaceOf(scenario, same);
  if (space === undefined) return undefined;
  return follow(space, same, told, 'possible') ?? searched(scenario, same, states);
}

/** A scenario whose setup no longer succeeds does not count. */
function spaceOf(scenario: Scenario, { program }: Same): Space | undefined {
  return possibleSpace(scenario, { program, symmetric: false });
}

function searched(scenario: Scenario, same: Same, states: number): ToldWay | undefined {
  const { found } = search(scenario, same, states);
  const told = found && tell(spaceOf(scenario, same)!, found.path);
  return told && { told, breach: found };
}

function search(scenario: Scenario, same: Same, states: number) {
  const search = new InterleavingSearch(spaceOf(scenario, same)!, {
    laws: same.laws,
    states,
    nameOf: (breach) => (same.isSame(breach) ? undefined : 'another'),
  });
  search.goOn(Number.POSITIVE_INFINITY);
  const { breaches } = search.explored();
  const found = breaches.find(({ known }) => known === undefined);
  return { found, isFirst: breaches.find(({ law }) => law === found?.law) === found };
}

function shortest(
  { scenario, told }: ScheduleCase,
  breach: TaskBreach | undefined,
  same: Same,
  states: number,
): Shrunk | undefined {
  const { found, isFirst } = search(scenario, same, states);
  const nearest =
    found &&
    shortestWay(
      spaceOf(scenario, same)!,
      { breach: found, path: found.path, cycle: [] },
      same.isSame,
      states,
    );
  const shortestTold = nearest && tell(nearest.space, nearest.path);
  const way =
    shortestTold === undefined
      ? follow(spaceOf(scenario, same)!, same, told, 'possible')
      : { told: shortestTold, breach: nearest!.breach };
  if (way === undefined) return undefined;
  const moves = fewestSwitches(scenario, same, way.told).map(({ move }: ToldSchedule) => move);
  const proved = shortestTold !== undefined && nearest!.proved;
  return { scenario, breach: breach ?? way.breach, moves, proved, isFirst };
}
