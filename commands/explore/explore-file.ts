import { ImpossibleSetup } from '../../checker/interleavings/impossible-setup.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { readForKernels } from '../../counterexamples/for-all-kernels.ts';
import { spaceOptions } from '../../counterexamples/interleavings/space-for.ts';
import type { ReadScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { readTrace } from '../line/read-trace.ts';
import type { NamedScenario, TaskSearch } from './exploration.ts';
import type { ExploreLine } from './explore-options.ts';
import { boundsIn, lawsNamedIn, plantedIn } from './explore-options.ts';
import { lawsFor } from './own-laws.ts';
import { absentCall, requirePremises } from './premises.ts';

/** Options that choose scenarios: a file is one already. */
const OF_FAMILIES = ['cpus', 'tasks', 'operations', 'only', 'random'] as const;

/** The exploration of a user's scenario: it, with all laws. */
export function fileExplorationFor(path: string, line: ExploreLine): TaskSearch {
  const named = OF_FAMILIES.find((option) => line[option] !== undefined);
  if (named !== undefined)
    throw new InputError(`--${named} chooses among built-in scenarios; ${path} is one itself`);
  return explorationOfTrace(readTrace(path), line);
}

/** The same of one that was read. */
export function explorationOfTrace({ path, text }: NamedTrace, line: ExploreLine): TaskSearch {
  return located(path, () => {
    requireScenario(path, text);
    const { isForAll, read } = readForKernels(text, parseScenario);
    requirePremises(read.scenario);
    const planted = plantedIn(line.planted === undefined ? plantedOf(read) : line);
    const profiles = line.kernel !== undefined ? [line.kernel] : isForAll ? KERNELS : [read.scenario.profile];
    return {
      from: { is: 'file', path },
      scenarios: scenariosIn(read, profiles, planted),
      laws: lawsNamedIn(line) ?? (planted === undefined ? lawsFor(read.scenario) : [planted.law]),
      unasked: [],
      planted,
      known: planted === undefined ? KNOWN_TASK : [],
      ...boundsIn(line),
    };
  });
}

function plantedOf({ planted }: ReadScenario): Pick<ExploreLine, 'planted'> {
  return planted === undefined ? {} : { planted };
}

/** Names the kind of a file that is not a scenario, and the command for it. */
function requireScenario(path: string, text: string): void {
  const kind = traceKind(text);
  if (kind === 'history' || kind === 'image')
    throw new InputError(`not a scenario: npm run check -- replay ${path}`);
  if (kind === 'sequence')
    throw new InputError(
      `no actor: write the actor before each call, as in client#1: CALL and task#1: f1(0x1); npm run check -- ${path} judges a sequence`,
    );
}

/** The scenario in each of some kernels; of several, in those in which its setup succeeds. */
function scenariosIn(
  { scenario, grain, lines }: ReadScenario,
  profiles: readonly string[],
  planted: TaskPlanted | undefined,
): readonly NamedScenario[] {
  const all = profiles.map((profile) => ({ ...scenario, profile }));
  const problems = all.map((own) => problemOf(own, grain, lines, planted));
  const possible = all.filter((_, i) => problems[i] === undefined);
  if (possible.length === 0) throw new InputError([...new Set(problems)].join('; '));
  return possible.map((own) => ({
    name: own.profile,
    scenario: own,
    ...(grain === undefined ? {} : { grain }),
  }));
}

/** Why a kernel refuses the setup of a scenario; undefined: it accepts it. */
function problemOf(
  scenario: NamedScenario['scenario'],
  grain: NamedScenario['grain'],
  lines: readonly number[],
  planted: TaskPlanted | undefined,
): string | undefined {
  designOf(profileNamed(scenario.profile));
  const absent = absentCall(scenario);
  if (absent !== undefined) return absent;
  try {
    new Space(scenario, spaceOptions(planted, grain));
    return undefined;
  } catch (error) {
    if (!(error instanceof ImpossibleSetup)) throw error;
    const line = error.step === undefined ? undefined : lines[error.step];
    return `${line === undefined ? '' : `line ${line}: `}${error.message}`;
  }
}
