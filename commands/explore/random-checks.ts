import type { RunCheck } from '../../counterexamples/run-check.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { SearchedLaws } from '../check/law-checks.ts';
import { lawChecks } from '../check/law-checks.ts';
import type { RandomPart, RandomTaskSearch } from './random-search.ts';
import { leftScenarios, listedIn, met } from './random-search.ts';

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

/** Why a search to its end does not decide a law. */
function openText(
  { planted }: RandomTaskSearch,
  parts: readonly RandomPart[],
  law: TaskLaw,
): string | undefined {
  if (planted !== undefined) return `the planted bug ${planted.name} was not found`;
  return met(parts, law) === 0 ? 'vacuous: exercised by no interleaving' : undefined;
}
