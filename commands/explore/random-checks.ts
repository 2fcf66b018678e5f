import type { RunCheck } from '../../counterexamples/run-check.ts';
import { leftOut } from '../../counterexamples/text.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { SearchedLaws } from '../check/law-checks.ts';
import { lawChecks } from '../check/law-checks.ts';
import { metBreaches } from '../check/pass.ts';
import type { RandomPart, RandomTaskSearch } from './random-answer.ts';

/** A check for each law, and for each listed breach that was met. */
export function randomChecks(
  search: RandomTaskSearch,
  parts: readonly RandomPart[],
  found: Pick<SearchedLaws, 'save' | 'report'>,
): RunCheck[] {
  return lawChecks({
    ...found,
    laws: search.laws.map((law) => {
      return { name: law.name, sentence: law.sentence, open: openText(search, parts, law) };
    }),
    unasked: search.unasked,
    known: listedIn(search, parts),
    left: leftScenarios(search, parts),
    noun: 'scenario',
  });
}

/** The listed breaches that were met. */
export function listedIn({ known }: RandomTaskSearch, parts: readonly RandomPart[]) {
  return metBreaches(
    known.map((entry) => ({ ...entry, law: entry.law.name })),
    parts,
  );
}

/** Why a search to its end does not decide a law. */
function openText(
  { planted }: RandomTaskSearch,
  parts: readonly RandomPart[],
  law: TaskLaw,
): string | undefined {
  if (planted !== undefined) return `the planted bug ${planted.name} was not found`;
  return met(parts, law) === 0 ? 'vacuous: exercised by no interleaving' : undefined;
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
