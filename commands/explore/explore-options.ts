import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { CPUS_MOST } from '../../counterexamples/interleavings/task-trace.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { lackingIn, withoutLaws } from '../check/pass.ts';
import { named, seedOf } from '../line/options.ts';
import { threadsBeside } from '../line/threads.ts';
import type { NamedScenario, ScenarioFamily, TaskSearch } from './exploration.ts';
import { BEYOND_FAMILIES, DEFAULT_FAMILY, OPERATING, scenariosOf } from './exploration.ts';
import type { ExploreOptions } from './explore.ts';
import { lawsFor } from './own-laws.ts';
import type { RandomTaskSearch } from './random-search.ts';

/** The options of `explore`, as the command line gives them. */
export interface ExploreLine {
  readonly kernel?: string;
  readonly cpus?: string;
  readonly tasks?: string;
  readonly operations?: string;
  readonly only?: string;
  readonly depth?: string;
  readonly states?: string;
  readonly preemptions?: string;
  readonly maxTime?: string;
  readonly workers: string;
  readonly planted?: string;
  readonly law?: string;
  readonly checkpoint?: string;
  readonly resume?: string;
  readonly random?: string;
  readonly schedules?: string;
  readonly seed: string;
}

/** The exploration that the options describe: a family, or the scenario of a planted bug. */
export function explorationFor(line: ExploreLine): TaskSearch {
  const planted = plantedIn(line);
  const { cpus = '1', tasks = '3', operations = '2', only } = line;
  const family = {
    is: 'family' as const,
    profiles: line.kernel === undefined ? KERNELS : [line.kernel],
    cpus: wholeNumber(cpus, '--cpus', CPUS_MOST, 1),
    tasks: wholeNumber(tasks, '--tasks', TASKS_MOST, OPERATING),
    operations: oneOf(operations, ['2', '3'], '--operations') === '2' ? (2 as const) : (3 as const),
    only: only?.split(',').map((name) => name.trim()) ?? [],
  };
  for (const profile of family.profiles) designOf(profileNamed(profile));
  const scenarios = planted === undefined ? scenariosOf(family) : [scenarioOf(planted)];
  return {
    from: family,
    scenarios,
    ...askedIn(line, planted, family.profiles, scenarios),
    planted,
    known: planted === undefined ? KNOWN_TASK : [],
    ...boundsIn(line),
  };
}

function scenarioOf({ name, scenario, profile, grain }: TaskPlanted): NamedScenario {
  return { name, scenario: { ...scenario, profile }, ...(grain === undefined ? {} : { grain }) };
}

/** Moves, states of each scenario, and preemptions in a schedule, at most. */
export function boundsIn({
  depth,
  states,
  preemptions,
}: ExploreLine): Pick<TaskSearch, 'depth' | 'states' | 'preemptions'> {
  if (depth !== undefined && preemptions !== undefined)
    throw new InputError('--preemptions explores schedules of any length: it excludes --depth');
  return {
    preemptions:
      preemptions === undefined ? undefined : wholeNumber(preemptions, '--preemptions', PREEMPTIONS_MOST),
    depth: depth === undefined ? undefined : wholeNumber(depth, '--depth', 1e6, 1),
    states: states === undefined ? undefined : wholeNumber(states, '--states', 1e9, 1),
  };
}

/** The bug to plant; undefined: none. */
export function plantedIn({ planted }: Pick<ExploreLine, 'planted'>): TaskPlanted | undefined {
  return planted === undefined ? undefined : named<TaskPlanted>(planted, TASK_PLANTED, 'planted bug');
}

/** Laws that are named are checked in any scenario; otherwise those that the scenarios can exercise. */
function askedIn(
  line: ExploreLine,
  planted: TaskPlanted | undefined,
  profiles: readonly string[],
  scenarios: readonly NamedScenario[],
): Pick<TaskSearch, 'laws' | 'unasked'> {
  const laws = lawsIn(line, planted, scenarios);
  return line.law !== undefined || planted !== undefined ? { laws, unasked: [] } : without(laws, profiles);
}

function without(
  laws: readonly TaskLaw[],
  profiles: readonly string[],
): Pick<TaskSearch, 'laws' | 'unasked'> {
  const unasked = [...BEYOND_FAMILIES, ...lackingIn(laws, profiles)];
  return { laws: withoutLaws(laws, unasked), unasked };
}

/** The laws checked in scenarios of these kernels when none is named. */
export function asked(profiles: readonly string[]): readonly TaskLaw[] {
  return without(ALL_TASK_LAWS, profiles).laws;
}

function lawsIn(
  line: ExploreLine,
  planted: TaskPlanted | undefined,
  scenarios: readonly NamedScenario[],
): readonly TaskLaw[] {
  return lawsNamedIn(line) ?? (planted === undefined ? lawsOf(scenarios) : [planted.law]);
}

function lawsOf(scenarios: readonly NamedScenario[]): readonly TaskLaw[] {
  return lawsFor(...scenarios.map(({ scenario }) => scenario));
}

/** The laws that the options name; undefined: none. */
export function lawsNamedIn({ law }: ExploreLine): readonly TaskLaw[] | undefined {
  const names = law?.split(',').map((name) => named(name.trim(), ALL_TASK_LAWS, 'law').name);
  return names === undefined ? undefined : ALL_TASK_LAWS.filter(({ name }) => names.includes(name));
}

/** The random search that the options describe. */
export function randomSearchFor(line: ExploreLine): RandomTaskSearch {
  const { only, workers, checkpoint, resume, kernel, random = '', schedules = '20', seed } = line;
  if (line.preemptions !== undefined)
    throw new InputError('--preemptions bounds an exploration: --random draws its schedules');
  if (only !== undefined || workers !== '1' || checkpoint !== undefined || resume !== undefined)
    throw new InputError(
      '--random draws its scenarios and searches them in one thread, from the start: it excludes --only, --workers, --checkpoint and --resume',
    );
  const planted = plantedIn(line);
  const profiles = planted !== undefined ? [planted.profile] : kernel === undefined ? KERNELS : [kernel];
  for (const profile of profiles) designOf(profileNamed(profile));
  const laws = lawsNamedIn(line) ?? (planted === undefined ? ALL_TASK_LAWS : [planted.law]);
  const unasked = line.law === undefined && planted === undefined ? lackingIn(laws, profiles) : [];
  return {
    profiles,
    laws: withoutLaws(laws, unasked),
    unasked,
    planted,
    known: planted === undefined ? KNOWN_TASK : [],
    seed: seedOf(seed),
    scenarios: wholeNumber(random, '--random', 1e6, 1),
    schedules: wholeNumber(schedules, '--schedules', 1e6, 1),
  };
}

const TASKS_MOST = 8;
const WORKERS_MOST = 64;
const PREEMPTIONS_MOST = 1e6;

/** Seconds after which a search is stopped. */
export function secondsIn({ maxTime }: ExploreLine): number | undefined {
  return maxTime === undefined ? undefined : wholeNumber(maxTime, '--max-time', 1e7, 1);
}

/** How the options say it is run. */
export function howToExplore(line: ExploreLine): ExploreOptions {
  const { workers, checkpoint, resume } = line;
  return {
    workers: wholeNumber(workers, '--workers', WORKERS_MOST, 1),
    seconds: secondsIn(line),
    checkpoint,
    resume,
  };
}

/** From the start to the end, in one thread. */
export const IN_ONE_WORKER: ExploreOptions = {
  workers: 1,
  seconds: undefined,
  checkpoint: undefined,
  resume: undefined,
};

/**
 * How a run of several sections explores: in the threads that it has beside its own; a share of a run has one, for others may
 * run on this machine as well.
 */
export function besideSections(share: Share): ExploreOptions {
  return { ...IN_ONE_WORKER, workers: share === WHOLE ? threadsBeside() : 1, share };
}

/** What the default run explores: its bounds are counts. `number` limits its scenarios. */
export function defaultExploration(most?: string): TaskSearch {
  return explorationOf(DEFAULT_FAMILY, scenariosOf(DEFAULT_FAMILY).slice(0, scenariosMost(most)));
}

/** The number of `--scenarios`. */
export function scenariosMost(most: string | undefined): number | undefined {
  return most === undefined ? undefined : wholeNumber(most, '--scenarios', 1e6, 1);
}

/** Some scenarios of a family, to their end, checked against the laws that they can exercise. */
export function explorationOf(family: ScenarioFamily, scenarios: readonly NamedScenario[]): TaskSearch {
  return {
    from: family,
    scenarios,
    ...without(lawsOf(scenarios), family.profiles),
    planted: undefined,
    known: KNOWN_TASK,
    depth: undefined,
    states: undefined,
    preemptions: undefined,
  };
}

/** The command that explores one kernel in the same way. */
export function commandOf({ profiles, cpus, tasks }: ScenarioFamily): string[] {
  const [kernel = ''] = profiles;
  return ['explore', '--kernel', kernel, '--cpus', String(cpus), '--tasks', String(tasks)];
}
