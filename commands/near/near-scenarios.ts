import { withSleepers } from '../../checker/interleavings/family.ts';
import { canStandOn } from '../../conformance/known/attach-example.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import type { KnownTask } from '../../conformance/known/task-known.ts';
import { scenarioOn } from '../../conformance/known/task-known.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { LISTED_BUGS } from '../../counterexamples/trace-file.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { KERNELS, profileNamed, recordedVersion } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { explorationOfTrace } from '../explore/explore-file.ts';
import type { ExploreLine } from '../explore/explore-options.ts';
import { lawsNamedIn, plantedIn } from '../explore/explore-options.ts';
import { lawsFor } from '../explore/own-laws.ts';
import type { RandomTaskSearch } from '../explore/random-search.ts';
import { seedOf } from '../line/options.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { DEFAULT_SCENARIOS, DEFAULT_SCHEDULES } from './default-scenarios.ts';
import type { NearLine } from './near-line.ts';

/** The scenarios that others are drawn near, and a bug that their file names. */
interface Given {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  readonly planted: TaskPlanted | undefined;
}

/** The search that the options describe; an InputError says what is wrong with them. */
export function nearSchedules(trace: NamedTrace | undefined, line: NearLine): RandomTaskSearch {
  const { kernel, seed, scenarios, schedules } = line;
  if (kernel !== undefined) designOf(profileNamed(kernel));
  const asked = askedIn(line);
  const near =
    trace === undefined ? { ...nearListed(kernel), planted: plantedIn(asked) } : nearFile(trace, asked);
  return {
    profiles: [...new Set(near.scenarios.map(({ profile }) => profile))],
    near,
    ...lawsIn(near, lawsNamedIn(asked)),
    unasked: [],
    planted: near.planted,
    known: near.planted === undefined ? KNOWN_TASK : [],
    seed: seedOf(seed),
    scenarios: numberOf('--scenarios', scenarios, DEFAULT_SCENARIOS),
    schedules: numberOf('--schedules', schedules, DEFAULT_SCHEDULES),
  };
}

function numberOf(option: string, asked: string | undefined, usual: number): number {
  return asked === undefined ? usual : wholeNumber(asked, option, 1e6, 1);
}

/** The options that explorations have as well. */
function askedIn({ seed, kernel, law, planted }: NearLine): ExploreLine {
  return {
    ...{ workers: '1', seed },
    ...(kernel === undefined ? {} : { kernel }),
    ...(law === undefined ? {} : { law }),
    ...(planted === undefined ? {} : { planted }),
  };
}

function nearListed(kernel: string | undefined): Omit<Given, 'planted'> {
  const scenarios = (kernel === undefined ? KERNELS : [kernel]).flatMap(listedScenarios);
  if (scenarios.length === 0) throw new InputError(`no bug of interleavings of ${kernel} is listed`, kernel);
  return { name: LISTED_BUGS, scenarios };
}

/**
 * The scenarios of listed bugs of a kernel, in which a program may sleep in its functions; of a design, its own, and those of
 * its kernel beside links of that design.
 */
export function listedScenarios(profile: string): readonly Scenario[] {
  const version = recordedVersion(profile);
  return KNOWN_TASK.flatMap((entry) => {
    if (!isListedFor(entry, version)) return [];
    const scenario = scenarioOn(entry, version);
    if (entry.multiLinks !== undefined && scenario.profile !== profile) return [];
    return [{ ...scenario, profile: withSleepers(profile) }];
  });
}

function isListedFor(entry: KnownTask, version: string): boolean {
  return entry.kernels.some((kernel) => recordedVersion(kernel) === version) && canStandOn(entry, version);
}

function nearFile(trace: NamedTrace, asked: ExploreLine): Given {
  const { scenarios, planted } = explorationOfTrace(trace, asked);
  return { name: shellWord(trace.path), scenarios: scenarios.map(({ scenario }) => scenario), planted };
}

/** Those that are named, that of the planted bug, or all that these scenarios can exercise. */
function lawsIn(
  { scenarios, planted }: Given,
  named: readonly TaskLaw[] | undefined,
): { readonly laws: readonly TaskLaw[]; readonly areNamed: boolean } {
  const laws = named ?? (planted === undefined ? lawsFor(...scenarios) : [planted.law]);
  return { laws, areNamed: named !== undefined || planted !== undefined };
}
