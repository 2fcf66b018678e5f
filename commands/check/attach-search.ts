import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { AttachSearched } from '../../checker/sequences/search.ts';
import type { Share } from '../../checker/share.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import type { RunVerdict } from '../../counterexamples/answer.ts';
import type { ReturnSite, Sites } from '../../counterexamples/sequences/sites.ts';
import { likelihoodIn } from '../../counterexamples/sequences/sites.ts';
import { count, counted, leftOut } from '../../counterexamples/text.ts';
import { recordedVersion } from '../../model/core/profile.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import type { UnaskedLaw } from './pass.ts';
import { openOf, searchVerdict, unaskedText, vacuousText } from './pass.ts';

/* What a search over sequences has exercised, and what it has left out. */

/** A search over sequences in several kernels. */
export interface SequenceSearch {
  readonly profiles: readonly string[];
  readonly laws: readonly AttachLaw[];
  /** They were named, or are that of a planted bug. */
  readonly areNamed?: boolean;
  readonly unasked: readonly UnaskedLaw[];
  readonly planted: AttachPlanted | undefined;
  readonly known: readonly KnownAttach[];
  readonly seed: number;
  /** Sequences in each kernel. */
  readonly sequences: number;
  /** Those that are drawn are near one of these, in the kernel of that. */
  readonly near?: NearSequences;
  /** The return sites that are known. */
  readonly sites: readonly ReturnSite[];
  /** A search of this bound reaches them: one that it does not reach is an open question. */
  readonly reachesSites: boolean;
  /** They are printed, each with how often it was taken. */
  readonly printsSites: boolean;
  /** The file of a page with them. */
  readonly html?: string;
  /** Default: all of it is worked on here. */
  readonly share?: Share;
}

/** The sequences that a search draws near. */
export interface NearSequences {
  /** The file that they are in, as a shell takes its path, or `LISTED_BUGS`. */
  readonly name: string;
  readonly cases: readonly AttachCase[];
}

/** The result of the search in one kernel. */
export interface SearchedKernel {
  readonly profile: string;
  readonly searched: AttachSearched;
  readonly sites: Sites;
}

export function witnessed(parts: readonly SearchedKernel[], { name }: AttachLaw): number {
  return parts.reduce((sum, { searched }) => sum + (searched.witnesses.get(name) ?? 0), 0);
}

/** The law was not exercised. A listed breach of it, or of another law, counts as exercising it. */
export function isVacuous(search: SequenceSearch, parts: readonly SearchedKernel[], law: AttachLaw): boolean {
  return witnessed(parts, law) === 0 && !isKnown(search, parts, law) && !isOnlyBehindKnown(parts, law);
}

/** The laws whose question a search leaves open, because nothing has exercised them. */
export function vacuousIn(search: SequenceSearch, parts: readonly SearchedKernel[]): readonly AttachLaw[] {
  const vacuous = search.laws.filter((law) => isVacuous(search, parts, law));
  if (search.near === undefined) return vacuous;
  return openOf(vacuous, search.laws.length, search.areNamed === true);
}

/** A kernel breaks the law in a way that is listed. */
export function isKnown(
  { known }: SequenceSearch,
  parts: readonly SearchedKernel[],
  law: AttachLaw,
): boolean {
  return known.some(
    ({ name, law: broken }) => broken === law.name && parts.some(({ searched }) => searched.known.has(name)),
  );
}

/** It was exercised only where another law is broken in a listed way. */
export function isOnlyBehindKnown(parts: readonly SearchedKernel[], law: AttachLaw): boolean {
  return witnessed(parts, law) === 0 && parts.some(({ searched }) => searched.behindKnown.has(law.name));
}

/** Return sites that should have been reached, each with its kernel. */
export function unreached(
  { sites: known, reachesSites }: SequenceSearch,
  parts: readonly SearchedKernel[],
): string[] {
  if (!reachesSites) return [];
  return parts.flatMap(({ profile, sites }) =>
    known
      .filter(({ site, reached }) => (reached as readonly string[]).includes(profile) && !sites.has(site))
      .map(({ site }) => `${profile}: ${site}`),
  );
}

/**
 * Return sites that no sequence has taken, of those that sequences can take in each kernel:
 * `2 of 151 return sites of 6.1, 1 of 160 of 7.2`.
 */
export function sitesText({ sites: known }: SequenceSearch, parts: readonly SearchedKernel[]): string[] {
  const missed = parts.flatMap(({ profile, sites }) => {
    const own = known.filter((site) => likelihoodIn(site, recordedVersion(profile)) !== 'never');
    const left = own.filter(({ site }) => !sites.has(site)).length;
    return left === 0 ? [] : [{ profile, left, of: own.length }];
  });
  return missed.map(
    ({ profile, left, of }, i) =>
      `${count(left)} of ${i === 0 ? counted(of, 'return site') : count(of)} of ${profile}`,
  );
}

export function verdictOfSearch(search: SequenceSearch, parts: readonly SearchedKernel[]): RunVerdict {
  const { planted, seed, sequences } = search;
  const isFound = parts.some(({ searched }) => searched.found !== undefined);
  const left = isFound ? [] : leftSequences(search, parts);
  const vacuous = vacuousIn(search, parts).length;
  const missing = unreached(search, parts).length;
  const unmet = [
    ...vacuousText(vacuous, 'sequence'),
    ...(missing === 0 ? [] : [`${counted(missing, 'return site')} not reached`]),
  ];
  const known = parts.flatMap(({ searched }) => [...searched.known.keys()]);
  const more = { '--sequences': String(10 * sequences) };
  return searchVerdict({ isFound, planted, known, left, unmet, seed, more });
}

/** The part that a stop has left out. */
export function leftSequences(
  { profiles, sequences }: SequenceSearch,
  parts: readonly SearchedKernel[],
): string[] {
  const done = parts.reduce((sum, { searched }) => sum + searched.sequences, 0);
  const of = profiles.length * sequences;
  return leftOut('sequence', 'played', { of, left: of - done });
}

/** The parts that a whole search has left out, though this leaves nothing open. */
export function uncoveredTexts(search: SequenceSearch, parts: readonly SearchedKernel[]): string[] {
  const { laws, unasked } = search;
  const behind = laws.filter((law) => !isKnown(search, parts, law) && isOnlyBehindKnown(parts, law)).length;
  return [
    ...sitesText(search, parts),
    ...unaskedText(unasked, 'sequences'),
    ...(behind === 0 ? [] : [`${counted(behind, 'law')} exercised only after a known breach`]),
  ];
}
