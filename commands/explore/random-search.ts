import type { RandomlySearched } from '../../checker/interleavings/random/search-schedules.ts';
import type { Share } from '../../checker/share.ts';
import type { KnownTask } from '../../conformance/known/task-known.ts';
import { leftOut } from '../../counterexamples/text.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import type { UnaskedLaw } from '../check/pass.ts';
import { metBreaches, openOf } from '../check/pass.ts';

/* What a search by random schedules is for, and what it has exercised. */

/** Scenarios and schedules that are drawn for each kernel, one kernel after the other. */
export interface RandomTaskSearch {
  readonly profiles: readonly string[];
  readonly laws: readonly TaskLaw[];
  readonly unasked: readonly UnaskedLaw[];
  readonly planted: TaskPlanted | undefined;
  readonly known: readonly KnownTask[];
  readonly seed: number;
  readonly scenarios: number;
  /** Schedules for each scenario. */
  readonly schedules: number;
  /** The laws were named, or are that of a planted bug. */
  readonly areNamed?: boolean;
  /** Those that are drawn are near one of these, in the kernel of that. */
  readonly near?: NearTasks;
  /** Default: all scenarios are searched here. */
  readonly share?: Share;
}

/** The scenarios that a search draws near. */
export interface NearTasks {
  /** The file that they are in, as a shell takes its path, or `LISTED_BUGS`. */
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** The bound of the search in one kernel. */
export interface RandomPart {
  readonly profile: string;
  readonly searched: RandomlySearched;
}

/** The listed breaches that were met. */
export function listedIn({ known }: RandomTaskSearch, parts: readonly RandomPart[]) {
  return metBreaches(
    known.map((entry) => ({ ...entry, law: entry.law.name })),
    parts,
  );
}

/** The part that a stop has left out. */
export function leftScenarios(
  { profiles, scenarios }: RandomTaskSearch,
  parts: readonly RandomPart[],
): string[] {
  const done = parts.reduce((sum, { searched }) => sum + searched.scenarios, 0);
  const of = profiles.length * scenarios;
  return leftOut('scenario', 'searched', { of, left: of - done });
}

/** In how many moves and ends a law applied. */
export function met(parts: readonly RandomPart[], { name }: TaskLaw): number {
  return parts.reduce((sum, { searched }) => sum + (searched.witnesses.get(name) ?? 0), 0);
}

/** The laws whose question a search leaves open, because nothing has exercised them. */
export function vacuousIn(search: RandomTaskSearch, parts: readonly RandomPart[]): readonly TaskLaw[] {
  const vacuous = search.laws.filter((law) => met(parts, law) === 0);
  if (search.near === undefined) return vacuous;
  return openOf(vacuous, search.laws.length, search.areNamed === true);
}
