import type { Scenario } from '../../../properties/observed/scenario.ts';
import { ImpossibleSetup } from '../impossible-setup.ts';
import type { TaskBreach } from '../judge.ts';
import type { FoundBreach } from '../search.ts';
import { InterleavingSearch } from '../search.ts';
import { Space } from '../space.ts';
import { fewestSwitches } from './fewest-switches.ts';
import type { ScheduleCase } from './simpler.ts';
import { simplerThan } from './simpler.ts';
import type { Same, ToldSchedule, ToldWay } from './told.ts';
import { follow, tell } from './told.ts';

/** How much the explorer may look at. */
export interface ShrinkBounds {
  /** States that a simpler scenario is searched for the breach, where following the moves does not lead to it. */
  readonly states: number;
  /** States that the simplest one is searched for the shortest way. */
  readonly statesAtLast: number;
}

export const SHRINK_BOUNDS: ShrinkBounds = { states: 5_000, statesAtLast: 200_000 };

/** What a shrunk finding is: the simplest scenario, the shortest way to the breach in it. */
export interface Shrunk {
  readonly scenario: Scenario;
  readonly breach: TaskBreach;
  readonly moves: readonly number[];
  /** All states up to that distance were looked at: there is no shorter way. */
  readonly proved: boolean;
}

/**
 * The simplest scenario that shows a breach: tasks, operations, actions of the setup are left out one after the other,
 * as long as the moves that are left, or the explorer, still lead to it. Then the explorer looks for the shortest way,
 * and among the ways of that length one with few changes of who moves is taken.
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

/** A scenario whose setup no longer succeeds is none. */
function spaceOf(scenario: Scenario, { program }: Same): Space | undefined {
  try {
    return new Space(scenario, { program, symmetric: false });
  } catch (error) {
    if (error instanceof ImpossibleSetup) return undefined;
    throw error;
  }
}

function searched(scenario: Scenario, same: Same, states: number): ToldWay | undefined {
  const found = search(scenario, same, states);
  const told = found === undefined ? undefined : tell(spaceOf(scenario, same)!, found.path);
  return told === undefined ? undefined : { told, breach: found! };
}

function search(scenario: Scenario, same: Same, states: number): FoundBreach | undefined {
  const search = new InterleavingSearch(spaceOf(scenario, same)!, {
    laws: same.laws,
    states,
    nameOf: (breach) => (same.isSame(breach) ? undefined : 'another'),
  });
  search.goOn(Number.POSITIVE_INFINITY);
  return search.explored().breaches.find(({ known }) => known === undefined);
}

function shortest(
  { scenario, told }: ScheduleCase,
  breach: TaskBreach | undefined,
  same: Same,
  states: number,
): Shrunk | undefined {
  const found = searched(scenario, same, states);
  const way = found ?? follow(spaceOf(scenario, same)!, same, told, 'possible');
  if (way === undefined) return undefined;
  const moves = fewestSwitches(scenario, same, way.told).map(({ move }: ToldSchedule) => move);
  return { scenario, breach: breach ?? way.breach, moves, proved: found !== undefined };
}
