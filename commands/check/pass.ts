import type { SearchedImages } from '../../checker/images/check.ts';
import type { Known } from '../../checker/images/known-breach.ts';
import type { RunVerdict } from '../../counterexamples/answer.ts';
import { count, counted, percent, spread, WIDTH, wrap } from '../../counterexamples/text.ts';
import { last } from '../../model/core/present.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Law } from '../../properties/law/image-law.ts';

/** Column of a law's figures. */
const FIGURES = 52;

/** What a search says of the laws that no new breach was found of. */
export function passLines(searched: SearchedImages, laws: readonly Law[]): string[] {
  const { images, witnesses } = searched;
  return laws.flatMap((law) => {
    const met = witnesses.get(law.name) ?? 0;
    return lawLines(law, met, 'image', `${percent(met, images)} of images`);
  });
}

/** A random search at its end, which the first new breach is. */
export interface SearchEnd extends Pick<RunVerdict, 'known'> {
  readonly isFound: boolean;
  readonly planted: { readonly name: string } | undefined;
  /** What a stop has left out. */
  readonly left: readonly string[];
  /** What was looked for in all that was drawn, and not met. */
  readonly unmet: readonly string[];
  readonly seed: number;
  /** The options of a larger search, for what was not met. */
  readonly more: Readonly<Record<string, string>>;
}

/** For the last line: a search that left nothing open is asked once more with another seed. */
export function searchVerdict(end: SearchEnd): RunVerdict {
  const { isFound, planted, known, left, unmet, seed, more } = end;
  const open = isFound ? [] : left.length > 0 ? left : [...unmet, ...notFound(planted)];
  const again = open.length === 0 ? { '--seed': String(seed + 1) } : more;
  return {
    ...breachOf(isFound, planted),
    wrong: [],
    known,
    open,
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

/** For the last line: laws that nothing of a search has put to the test. */
export function vacuousText(laws: number, noun: string): string[] {
  return laws === 0 ? [] : [`${counted(laws, 'law')} put to the test by no ${noun}`];
}

/** What is said of the laws of a search that was stopped: none of them is passed. */
export function soFarLines(met: readonly number[], noun: string): string[] {
  const asked = met.filter((times) => times > 0).length;
  const rest = met.length - asked;
  return [
    `? stopped: ${counted(asked, 'law')} put to the test so far` +
      (rest === 0 ? '' : `, ${count(rest)} not yet`) +
      `; no new breach in the ${noun}s that were looked at`,
  ].flatMap((text) => wrap(text, 78));
}

/** A law whose premise no image met says nothing, and is not passed. */
export function isVacuous(law: Law, { witnesses }: SearchedImages): boolean {
  return (witnesses.get(law.name) ?? 0) === 0;
}

/** What is said of a law that held in `met` of the things that were looked at. */
export function lawLines(
  law: { readonly name: string; readonly witness: string },
  met: number,
  noun: string,
  rate: string,
): string[] {
  if (met === 0) return [`? ${law.name.padEnd(FIGURES - 2)}vacuous`, ...below(`never seen: ${law.witness}`)];
  const held = below(`held while ${law.witness}`, WIDTH - rate.length - 1);
  return [
    `✓ ${law.name.padEnd(FIGURES - 2)}${counted(met, noun)}`,
    ...held.slice(0, -1),
    spread(last(held), rate),
  ];
}

/** What stands below the name of a law. */
function below(text: string, width = WIDTH): string[] {
  return wrap(text, width - 4).map((line) => `    ${line}`);
}

/** What is said of a law whose premise is not met in all that was to be looked at. */
export function unmetLines({ name, witness }: { name: string; witness: string }): string[] {
  return [`  ${name.padEnd(FIGURES - 2)}not met`, ...below(`in none of these scenarios: ${witness}`)];
}

/** What is said of a law that only steps put to the test which break another in a listed way. */
export function behindKnownLines({ name, witness }: { name: string; witness: string }): string[] {
  return [
    `  ${name.padEnd(FIGURES - 2)}after a known breach`,
    ...below(`seen only where another law is broken as listed: ${witness}`),
  ];
}

/** A law that is not asked, and what its premise wants that nothing has in a search. */
export interface UnaskedLaw {
  readonly law: string;
  readonly why: string;
}

/** The laws that none of some kernels can put to the test. */
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

/** Those of some laws that are asked. */
export function withoutLaws<L extends { readonly name: string }>(
  laws: readonly L[],
  unasked: readonly UnaskedLaw[],
): L[] {
  return laws.filter(({ name }) => !unasked.some(({ law }) => law === name));
}

/** What is said of a law that a search cannot put to the test. */
export function unaskedLines({ law, why }: UnaskedLaw): string[] {
  return [`  ${law.padEnd(FIGURES - 2)}not asked`, ...below(why)];
}

/** The bound of a search, on a line or two. */
export function boundLines({ cases, images, paths, refusals }: SearchedImages): string[] {
  const refused = [...refusals].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const list = refused.map(([what, times]) => `${what} ${count(times)}`).join(', ');
  const text =
    `${counted(cases, 'attach combination')} drawn: ${counted(images, 'image')}, ` +
    `${counted(paths, 'path')}, each for all argument values` +
    (list === '' ? '' : `; refused: ${list}`);
  return wrap(text, 76).map((line) => `  ${line}`);
}

/** Known breaches that were met: the law, the kernels, how often. */
export function knownLines(known: ReadonlyMap<string, number>, list: readonly Known[]): string[] {
  return list.flatMap((entry) => {
    const times = known.get(entry.name);
    if (times === undefined) return [];
    return knownLine(entry.law, entry.name, counted(times, 'image'), entry.kernels);
  });
}

/** A known breach that was met, how often, and in which kernels. */
export function knownLine(law: string, name: string, times: string, kernels: readonly string[]): string[] {
  return [`known ${law}`, spread(`    ${name}`, `${times} of ${kernels.join(', ')}`)];
}
