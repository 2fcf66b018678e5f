import type { KernelProgram } from '../../../model/step.ts';
import type { TaskLaw } from '../../task/task-law.ts';
import type { TaskBreach } from '../judge.ts';
import type { Scenario } from '../scenario.ts';
import type { FoundBreach } from '../search.ts';
import { Search } from '../search.ts';
import { Space } from '../space.ts';
import { fewestSwitches } from './fewest-switches.ts';

/** States that a simpler scenario is searched for the breach. */
const STATES = 40_000;

/** What a shrunk finding is: the simplest scenario, the shortest way to the breach in it. */
export interface Shrunk {
  readonly scenario: Scenario;
  readonly breach: TaskBreach;
  readonly moves: readonly number[];
  /** The search of the simplest scenario was complete up to that length: there is no shorter way. */
  readonly proved: boolean;
}

/** What a breach has to be, to count as the same. */
export interface Same {
  readonly laws: readonly TaskLaw[];
  readonly program: KernelProgram;
  readonly isSame: (breach: TaskBreach, scenario: Scenario) => boolean;
}

/**
 * The simplest scenario that shows a breach, and the shortest way to it: tasks, operations and actions of the setup are
 * left out one after the other, as long as the explorer still finds the breach; then, among the ways of that length, one
 * with few context switches. Undefined when the explorer does not find it within its bound.
 */
export function shrinkScenario(first: Scenario, same: Same): Shrunk | undefined {
  let scenario = first;
  let found = search(scenario, same);
  for (let changed = true; changed; ) {
    changed = false;
    for (const simpler of simplerThan(scenario)) {
      const simplest = search(simpler, same);
      if (simplest === undefined) continue;
      scenario = simpler;
      found = simplest;
      changed = true;
      break;
    }
  }
  if (found === undefined) return undefined;
  const moves = fewestSwitches(scenario, same, found.path);
  return { scenario, breach: found, moves, proved: true };
}

function search(scenario: Scenario, { laws, program, isSame }: Same): FoundBreach | undefined {
  let space: Space;
  try {
    space = new Space(scenario, { program, symmetric: false });
  } catch {
    return undefined;
  }
  const one = new Search(space, { laws, states: STATES, stopsAt: (breach) => isSame(breach, scenario) });
  while (one.goOn());
  return one.result().breaches.find((breach) => isSame(breach, scenario));
}

/** Scenarios with one thing less, those with the most less first. */
function* simplerThan(scenario: Scenario): Generator<Scenario> {
  const { callers, clients, setup, processors } = scenario;
  for (let i = 0; i < clients.length; i++) yield { ...scenario, clients: without(clients, i) };
  for (let i = 0; i < callers.length; i++) yield { ...scenario, callers: without(callers, i) };
  if (processors > 1) yield { ...scenario, processors: 1 };
  for (let size = setup.length; size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < setup.length; from += size)
      yield { ...scenario, setup: [...setup.slice(0, from), ...setup.slice(from + size)] };
  for (const [i, script] of clients.entries())
    for (let j = 0; j < script.length; j++)
      yield { ...scenario, clients: clients.with(i, without(script, j)) };
  for (const [i, { interrupt, ...caller }] of callers.entries())
    if (interrupt !== undefined) yield { ...scenario, callers: callers.with(i, caller) };
}

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, i) => i !== at);
}
