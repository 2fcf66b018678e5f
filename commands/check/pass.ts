import type { SearchedImages } from '../../checker/images/check.ts';
import type { RunVerdict } from '../../counterexamples/answer.ts';
import type { Mark, Remark } from '../../counterexamples/run-part.ts';
import { count, counted, percent, spread, WIDTH, wrap } from '../../counterexamples/text.ts';
import { present } from '../../model/core/present.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Law } from '../../properties/law/image-law.ts';

/** Column of what has become of a law. */
const OUTCOME = 52;

/** How often a law was exercised: the number of images, or of other cases, and how many of them exercised it. */
export interface Exercised {
  readonly met: number;
  readonly of: number;
  readonly noun: string;
}

/** What `--verbose` says of a law that no new breach was found of. */
export function lawLines({ name, witness, isOfEnds }: ExercisedLaw, { met, of, noun }: Exercised): string[] {
  if (met === 0) return [outcomeLine('?', name, 'vacuous'), ...below(`never met: ${witness}`)];
  const often =
    isOfEnds === true
      ? `checked in ${counted(met, 'final state')}`
      : `exercised in ${shareOf(met, of, noun)}`;
  return [`  ✓ ${name}`, ...below(`${often} (${witness})`)];
}

/** The fields of a law that say when it is exercised. */
export interface ExercisedLaw {
  readonly name: string;
  readonly witness: string;
  /** It is checked only in final states. */
  readonly isOfEnds?: true;
}

/** `8.2 % of sequences`; what percents would round to nothing is counted. */
function shareOf(met: number, of: number, noun: string): string {
  if (met < of / 1000) return `${count(met)} of ${counted(of, noun)}`;
  return `${percent(met, of)} of ${noun}s`;
}

function outcomeLine(mark: Mark, name: string, outcome: string): string {
  return `  ${mark} ${name.padEnd(OUTCOME - 5)} ${outcome}`;
}

/** Laws, as the line of a part counts them: `25 laws`, or `23 of 25 laws`, where two are vacuous. */
export function lawsText(met: readonly number[]): string {
  const exercised = met.filter((times) => times > 0).length;
  const all = counted(met.length, 'law');
  return exercised === met.length ? all : `${count(exercised)} of ${all}`;
}

/** `741 images`, or `740 of 741 images`. */
export function ofAll(good: number, all: number, noun: string): string {
  return good === all ? counted(all, noun) : `${count(good)} of ${counted(all, noun)}`;
}

/** A line for each law that nothing has exercised. */
export function vacuousRemarks(laws: readonly { readonly name: string }[]): Remark[] {
  return laws.map(({ name }) => ({ mark: '?', name: 'vacuous', text: name }));
}

/** A line for the planted bug, where there is one that was not found. */
export function plantedRemarks(planted: SearchEnd['planted']): Remark[] {
  if (planted === undefined) return [];
  return [{ mark: '?', name: 'planted bug', text: `${planted.name} was not found` }];
}

/** A line for each thing that a stop has left out. */
export function stoppedRemarks(left: readonly string[]): Remark[] {
  return left.map((text) => ({ mark: '?', name: 'stopped', text }));
}

/** A random search at its end, which the first new breach is. */
export interface SearchEnd extends Pick<RunVerdict, 'known'> {
  readonly isFound: boolean;
  readonly planted: { readonly name: string } | undefined;
  /** What a stop has left out. */
  readonly left: readonly string[];
  /** Cases that the search should meet, and did not. */
  readonly unmet: readonly string[];
  readonly seed: number;
  /** The options of a larger search, for what was not met. */
  readonly more: Readonly<Record<string, string>>;
}

/** For the last line: a search that left nothing open is repeated with another seed. */
export function searchVerdict(end: SearchEnd): RunVerdict {
  const { isFound, planted, known, left, unmet, seed, more } = end;
  const open = isFound ? [] : left.length > 0 ? left : [...unmet, ...notFound(planted)];
  const again = open.length === 0 ? { '--seed': String(seed + 1) } : more;
  return {
    ...breachOf(isFound, planted),
    wrong: [],
    known,
    open,
    seed,
    next: { options: left.length > 0 ? {} : again },
  };
}

/** For the last line: the breach that was found, which is that of the planted bug where one is. */
export function breachOf(
  isFound: boolean,
  planted: SearchEnd['planted'],
): Pick<RunVerdict, 'breaches' | 'planted'> {
  if (!isFound) return { breaches: 0 };
  return { breaches: 1, ...(planted === undefined ? {} : { planted: planted.name }) };
}

/** For the last line of a search without a breach: what it was for. */
export function notFound(planted: SearchEnd['planted']): string[] {
  return planted === undefined ? [] : ['the planted bug was not found'];
}

/** For the last line: laws that nothing of a search has exercised. */
export function vacuousText(laws: number, noun: string): string[] {
  return laws === 0 ? [] : [`${counted(laws, 'law')} exercised by no ${noun}`];
}

/**
 * The laws that a search near some calls leaves open, of those that nothing has exercised: such calls exercise a few laws, so that
 * one which was not named is open only if none was.
 */
export function openOf<T>(vacuous: readonly T[], laws: number, areNamed: boolean): readonly T[] {
  return areNamed || vacuous.length === laws ? vacuous : [];
}

/** A law whose premise no image met says nothing, and is not passed. */
export function isVacuous(law: Law, { witnesses }: SearchedImages): boolean {
  return (witnesses.get(law.name) ?? 0) === 0;
}

/** The lines below the name of a law. */
function below(text: string): string[] {
  return wrap(text, WIDTH - 6).map((line) => `      ${line}`);
}

/** The line of a law whose premise was met nowhere. */
export function unmetLines({ name, witness }: ExercisedLaw): string[] {
  return [outcomeLine(' ', name, 'not met'), ...below(`in none of these scenarios: ${witness}`)];
}

/** The line of a law that is exercised only by steps that break another in a listed way. */
export function behindKnownLines({ name, witness }: ExercisedLaw): string[] {
  return [
    outcomeLine(' ', name, 'after a known breach'),
    ...below(`exercised only where another law is broken as listed (${witness})`),
  ];
}

/** A law that is not checked, and the part of its premise that a search lacks. */
export interface UnaskedLaw {
  readonly law: string;
  readonly why: string;
}

/** The laws that none of some kernels can exercise. */
export function lackingIn(
  laws: readonly { readonly name: string; readonly lacks?: (profile: Profile) => string | undefined }[],
  profiles: readonly string[],
): UnaskedLaw[] {
  return laws.flatMap(({ name, lacks }) => {
    const lacking = profiles.map((profile) => lacks?.(profileNamed(profile)));
    const [why] = lacking;
    return why === undefined || lacking.includes(undefined) ? [] : [{ law: name, why }];
  });
}

/** Those of some laws that are checked. */
export function withoutLaws<L extends { readonly name: string }>(
  laws: readonly L[],
  unasked: readonly UnaskedLaw[],
): L[] {
  return laws.filter(({ name }) => !unasked.some(({ law }) => law === name));
}

/** The line of a law that a search cannot exercise. */
export function unaskedLines({ law, why }: UnaskedLaw): string[] {
  return [outcomeLine(' ', law, 'not checked'), ...below(why)];
}

/** What the summary says of laws that a search cannot exercise. */
export function unaskedText(unasked: readonly UnaskedLaw[], noun: string): string[] {
  return unasked.length === 0 ? [] : [`${counted(unasked.length, 'law')} not checked on ${noun}`];
}

/** The bound of a search, on a line or two. */
export function boundLines({ cases, images, paths, refusals }: SearchedImages): string[] {
  const refused = [...refusals].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const list = refused.map(([what, times]) => `${what} ${count(times)}`).join(', ');
  return detailLines(
    `${counted(cases, 'attach combination')} drawn: ${counted(images, 'image')}, ` +
      `${counted(paths, 'path')}, each for all argument values` +
      (list === '' ? '' : `; refused: ${list}`),
  );
}

/** A text among the details of a part. */
export function detailLines(text: string): string[] {
  return wrap(text, WIDTH - 2).map((line) => `  ${line}`);
}

/** A listed breach, and how often it was met. */
export interface MetBreach {
  readonly name: string;
  readonly law: string;
  readonly sentence: string;
  readonly times: number;
  readonly kernels: readonly string[];
}

/** The listed breaches that a search met in some kernels, each with its number of cases. */
export function metBreaches(
  known: readonly Pick<MetBreach, 'name' | 'law' | 'sentence'>[],
  parts: readonly {
    readonly profile: string;
    readonly searched: { readonly known: ReadonlyMap<string, number> };
  }[],
): MetBreach[] {
  return known.flatMap(({ name, law, sentence }) => {
    const met = parts.filter(({ searched }) => searched.known.has(name));
    if (met.length === 0) return [];
    const times = met.reduce((sum, { searched }) => sum + present(searched.known.get(name), name), 0);
    return [{ name, law, sentence, times, kernels: met.map(({ profile }) => profile) }];
  });
}

/** What `--verbose` says of the listed breaches that were met. */
export function knownLines(met: readonly MetBreach[], noun: string): string[] {
  return met.flatMap(({ name, law, sentence, times, kernels }) => [
    spread(`  known ${law}`, counted(times, noun)),
    ...below(`${name}, ${kernels.join(' and ')}: ${sentence}`),
  ]);
}

/** What the summary says of them: `31 in sequences (402 times)`. */
export function knownText(met: readonly MetBreach[], where: string): string[] {
  if (met.length === 0) return [];
  const times = met.reduce((sum, { times }) => sum + times, 0);
  return [`${count(met.length)} in ${where} (${counted(times, 'time')})`];
}
