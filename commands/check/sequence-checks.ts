import type { RunCheck } from '../../counterexamples/run-check.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { SearchedKernel, SequenceSearch } from './attach-search.ts';
import { isOnlyBehindKnown, isVacuous, leftSequences, unreached, witnessed } from './attach-search.ts';
import type { SearchedLaws } from './law-checks.ts';
import { lawChecks } from './law-checks.ts';
import { metBreaches } from './pass.ts';

const SITES = {
  name: 'attachcheck/return-sites',
  sentence:
    'A search of this size reaches every return site of the modelled functions that sequences can take.',
};

/** A check for each law on sequences, for each listed breach that was met, and for return sites that were not. */
export function sequenceChecks(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
  found: Pick<SearchedLaws, 'save' | 'report'>,
): RunCheck[] {
  const left = found.report === undefined ? leftSequences(search, parts) : [];
  const missing = found.report === undefined && left.length === 0 ? unreached(search, parts) : [];
  return [
    ...lawChecks({
      ...found,
      laws: search.laws.map((law) => {
        return { name: law.name, sentence: law.sentence, open: openText(search, parts, law) };
      }),
      unasked: search.unasked,
      known: metBreaches(search.known, parts),
      left,
      noun: 'sequence',
    }),
    ...missing.map((text): RunCheck => {
      return { name: text, rule: SITES, outcome: 'skipped', lines: [`not reached: ${text}`] };
    }),
  ];
}

/** Why a search to its end does not decide a law. */
function openText(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
  law: AttachLaw,
): string | undefined {
  const { planted } = search;
  if (planted !== undefined) return `the planted bug ${planted.name} was not found`;
  if (isVacuous(search, parts, law)) return 'vacuous: exercised by no sequence';
  if (witnessed(parts, law) > 0) return undefined;
  return isOnlyBehindKnown(parts, law)
    ? 'exercised only after a known breach'
    : 'exercised only where it is broken as listed';
}
