import type { SavedBreach } from '../../checker/interleavings/checkpoint.ts';
import { pairs, triples, withSleepers } from '../../checker/interleavings/family.ts';
import { beside } from '../../checker/interleavings/family-beside.ts';
import { onCgroups } from '../../checker/interleavings/family-cgroups.ts';
import { onDevices } from '../../checker/interleavings/family-devices.ts';
import { interrupted } from '../../checker/interleavings/family-interrupted.ts';
import type { OperationFate } from '../../checker/interleavings/overlap.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { withThird } from '../../checker/interleavings/triples.ts';
import type { KnownTask } from '../../conformance/known/task-known.ts';
import { counted } from '../../counterexamples/text.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { eagainIsTemporary } from '../../properties/task/eagain-is-temporary.ts';
import { moduleTextStaysWhileInUse } from '../../properties/task/module-text-stays-while-in-use.ts';
import { extensionsExcludePrograms } from '../../properties/trampoline/extensions-exclude-programs.ts';
import { targetModulesStayLoaded } from '../../properties/trampoline/target-modules-stay-loaded.ts';
import type { UnaskedLaw } from '../check/pass.ts';
import { withOnly } from './only.ts';

/** The subject of an exploration: every interleaving of each scenario of a family, or of a user's scenario. */
export interface TaskSearch {
  readonly from: ScenarioFamily | ScenarioFile;
  readonly scenarios: readonly NamedScenario[];
  readonly laws: readonly TaskLaw[];
  readonly unasked: readonly UnaskedLaw[];
  readonly planted: TaskPlanted | undefined;
  readonly known: readonly KnownTask[];
  /** Moves from the first state, and states of each scenario, at most. */
  readonly depth: number | undefined;
  readonly states: number | undefined;
  /** Preemptions in a schedule at most; undefined: any number. */
  readonly preemptions: number | undefined;
  /**
   * A law that no scenario exercises leaves nothing open if all were explored to the end: it is reported as not met.
   */
  readonly leavesUnmet?: true;
}

/** A user's scenario, in the kernel that the file names, or in each. */
export interface ScenarioFile {
  readonly is: 'file';
  readonly path: string;
}

/** The bounds that make up a family. */
export interface ScenarioFamily {
  readonly is: 'family';
  readonly profiles: readonly string[];
  readonly cpus: number;
  /** Tasks that call functions, and make no operation call. */
  readonly tasks: number;
  /**
   * Two clients make one call each, on either of two functions; of three calls the first client makes two, or there
   * are three clients.
   */
  readonly operations: 2 | 3;
  /** Operations that scenarios must have, by name and function: `attach f1`; none: all scenarios. */
  readonly only: readonly string[];
}

export interface NamedScenario {
  readonly name: string;
  readonly scenario: Scenario;
  /** The grain, if not the usual one. */
  readonly grain?: Schedule['grain'];
}

/** Tasks that make operation calls, at least. */
export const OPERATING = 2;

/** The family of the default run: it fits into its time. Its bounds are counts; change them here. */
export const DEFAULT_FAMILY: ScenarioFamily = {
  is: 'family',
  profiles: ['6.12'],
  cpus: 2,
  tasks: 3,
  operations: 2,
  only: [],
};

/** The laws whose premise no scenario of a family can meet: each has its own scenario on the board of planted bugs. */
export const BEYOND_FAMILIES: readonly UnaskedLaw[] = [
  { law: moduleTextStaysWhileInUse.name, why: 'no client unloads a module' },
  { law: eagainIsTemporary.name, why: 'no client tries again' },
  { law: extensionsExcludePrograms.name, why: 'no client attaches an extension' },
  { law: targetModulesStayLoaded.name, why: 'no function is in a module' },
];

/** The scenarios of a family, kernel by kernel. */
export function scenariosOf({
  profiles,
  cpus,
  tasks,
  operations,
  only,
}: ScenarioFamily): readonly NamedScenario[] {
  const all = profiles.flatMap((profile) => {
    const kernel = withSleepers(profile);
    const two = pairs(kernel, cpus, tasks - OPERATING);
    if (operations === 2)
      return tasks > OPERATING
        ? [
            ...two,
            ...beside(kernel, cpus),
            ...onCgroups(kernel, cpus),
            ...onDevices(kernel, cpus),
            ...interrupted(kernel, cpus),
          ]
        : two;
    return [...two.map(withThird), ...(tasks > OPERATING ? triples(kernel, cpus, tasks - 3) : [])];
  });
  return withOnly(all, only);
}

/**
 * How the search of a scenario ended: every state was visited; a new breach was found; the bound of moves or of
 * states was reached; every schedule within the bound on preemptions was explored, and there are others; it was
 * stopped; the kernel refuses the setup.
 */
export type EndOfSearch = 'complete' | 'breach' | 'depth' | 'states' | 'preemptions' | 'stopped' | 'refused';

/** The result of the search of one scenario: plain data. */
export interface ScenarioResult {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly bytes: number;
  readonly end: EndOfSearch;
  /** The first of each kind. */
  readonly breaches: readonly SavedBreach[];
  readonly witnesses: readonly (readonly [string, number])[];
  /** The outcomes of its operations. */
  readonly fates: readonly OperationFate[];
}

/** The first breach that is not listed as known, if there is one. */
export function newBreach({ breaches }: ScenarioResult): SavedBreach | undefined {
  return breaches.find(({ known }) => known === undefined);
}

/** Every schedule within the bound on preemptions was explored, or without one every schedule. */
export function isExplored({ end }: ScenarioResult): boolean {
  return end === 'complete' || end === 'preemptions';
}

/** ` with at most 2 preemptions`, or nothing. */
export function boundText({ preemptions }: Pick<TaskSearch, 'preemptions'>): string {
  return preemptions === undefined ? '' : ` with at most ${counted(preemptions, 'preemption')}`;
}
