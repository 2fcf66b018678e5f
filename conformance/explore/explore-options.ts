import type { TaskSearch } from '../../counterexamples/task/exploration.ts';
import {
  DEFAULT_FAMILY,
  NOT_IN_THE_DEFAULT,
  OPERATING,
  scenariosOf,
} from '../../counterexamples/task/exploration.ts';
import { PROCESSORS_MOST } from '../../counterexamples/task/task-trace.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { TASK_PLANTED } from '../../properties/planted/task.ts';
import type { TaskPlanted } from '../../properties/planted/task-planted.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { KNOWN_TASK } from '../known/task-breaches.ts';
import { named } from '../options.ts';
import type { ExploreOptions } from './explore.ts';

/** The options of `explore`, as the command line gives them. */
export interface ExploreLine {
  readonly kernel?: string;
  readonly cpus: string;
  readonly tasks: string;
  readonly operations: string;
  readonly only?: string;
  readonly depth?: string;
  readonly states?: string;
  readonly maxTime?: string;
  readonly workers: string;
  readonly planted?: string;
  readonly law?: string;
  readonly checkpoint?: string;
  readonly resume?: string;
}

/** What the options ask to explore. */
export function explorationFor(line: ExploreLine): TaskSearch {
  const planted =
    line.planted === undefined ? undefined : named<TaskPlanted>(line.planted, TASK_PLANTED, 'planted bug');
  const names = line.law?.split(',').map((name) => named(name.trim(), TASK_LAWS, 'law').name);
  const family = {
    profiles: line.kernel === undefined ? KERNELS : [line.kernel],
    processors: number(line.cpus, '--cpus', 1, PROCESSORS_MOST),
    tasks: number(line.tasks, '--tasks', OPERATING, TASKS_MOST),
    operations: oneOf(line.operations, ['2', '3'], '--operations') === '2' ? (2 as const) : (3 as const),
    functions: 2 as const,
    only: line.only?.split(',').map((name) => name.trim()) ?? [],
  };
  for (const profile of family.profiles) profileNamed(profile);
  return {
    family,
    scenarios:
      planted === undefined
        ? scenariosOf(family)
        : [{ name: planted.name, scenario: { ...planted.scenario, profile: planted.profile } }],
    laws:
      names !== undefined
        ? TASK_LAWS.filter(({ name }) => names.includes(name))
        : planted === undefined
          ? TASK_LAWS
          : [planted.law],
    planted,
    known: planted === undefined ? KNOWN_TASK : [],
    depth: line.depth === undefined ? undefined : number(line.depth, '--depth', 1, 1e6),
    states: line.states === undefined ? undefined : number(line.states, '--states', 1, 1e9),
  };
}

const TASKS_MOST = 8;
const WORKERS_MOST = 64;

/** A whole number between two bounds. */
function number(text: string, what: string, least: number, most: number): number {
  const value = wholeNumber(text, what, most);
  if (value < least) throw new InputError(`${what} ${text} is less than ${least}`);
  return value;
}

/** How the options say it is run. */
export function howToExplore({ workers, maxTime, checkpoint, resume }: ExploreLine): ExploreOptions {
  return {
    workers: number(workers, '--workers', 1, WORKERS_MOST),
    seconds: maxTime === undefined ? undefined : number(maxTime, '--max-time', 1, 1e7),
    checkpoint,
    resume,
  };
}

/** How the default run does it: in one thread, beside everything else. */
export const IN_ONE_WORKER: ExploreOptions = {
  workers: 1,
  seconds: undefined,
  checkpoint: undefined,
  resume: undefined,
};

/** What the default run explores: its bounds are counts. */
export function defaultExploration(): TaskSearch {
  return {
    family: DEFAULT_FAMILY,
    scenarios: scenariosOf(DEFAULT_FAMILY),
    laws: TASK_LAWS.filter(({ name }) => !NOT_IN_THE_DEFAULT.includes(name)),
    planted: undefined,
    known: KNOWN_TASK,
    depth: undefined,
    states: undefined,
  };
}
