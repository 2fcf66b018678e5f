import fc from 'fast-check';
import type { KernelProgram } from '../../../model/step.ts';
import { KERNEL_PROGRAM } from '../../../model/step.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { TaskLaw } from '../../task/task-law.ts';
import type { TaskBreach } from '../judge.ts';
import type { Scenario } from '../scenario.ts';
import { Space } from '../space.ts';
import { scenariosFor } from './draw-scenario.ts';
import { schedules } from './schedules.ts';
import { walk } from './walk.ts';

/** A random search over scenarios and schedules. Its bound is a count, so that a seed fixes its output. */
export interface ScheduleSearch {
  readonly profile: string;
  readonly laws: readonly TaskLaw[];
  readonly seed: number;
  /** Scenarios that are drawn, and schedules for each. */
  readonly scenarios: number;
  readonly schedules: number;
  readonly program?: KernelProgram;
  /** A breach that is known: the walk goes on. */
  readonly isKnown: (breach: TaskBreach, scenario: Scenario) => boolean;
}

export interface FoundSchedule {
  readonly scenario: Scenario;
  readonly moves: readonly number[];
  readonly breach: TaskBreach;
}

export interface SchedulesSearched {
  readonly scenarios: number;
  readonly walks: number;
  readonly moves: number;
  readonly found: FoundSchedule | undefined;
}

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f7', 7, 'u64 x7 -> u64')];

/** Walks until one breaks a law in a way that is not known, or the bound is reached. */
export function* searchSchedules(search: ScheduleSearch): Generator<SchedulesSearched, SchedulesSearched> {
  const { profile, seed, laws, program = KERNEL_PROGRAM } = search;
  const drawn = fc.sample(scenariosFor(profile, FUNCTIONS), { seed, numRuns: search.scenarios });
  let walks = 0;
  let moves = 0;
  const result = (scenarios: number, found?: FoundSchedule): SchedulesSearched => ({
    scenarios,
    walks,
    moves,
    found,
  });
  for (const [nth, scenario] of drawn.entries()) {
    if (scenario.clients.length === 0) continue;
    const space = new Space(scenario, { program, symmetric: false });
    for (const schedule of fc.sample(schedules, { seed: seed + nth, numRuns: search.schedules })) {
      const one = walk(space, laws, schedule(), (breach) => search.isKnown(breach, scenario));
      walks++;
      moves += one.moves.length;
      if (one.breach !== undefined)
        return result(nth + 1, { scenario, moves: one.moves, breach: one.breach });
    }
    yield result(nth + 1);
  }
  return result(drawn.length);
}
