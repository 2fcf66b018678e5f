import { randomInt } from 'node:crypto';
import { BPF_ARGS_MAX } from '../../checker/images/arbitraries.ts';
import type { ImageCase } from '../../checker/images/case.ts';
import type { ImageSearch } from '../../checker/images/check.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { REACHING, RETURN_SITES } from '../../conformance/known/return-sites.ts';
import { FORMER_NAMES } from '../../counterexamples/former-names.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import { meantOr } from '../../model/core/nearest.ts';
import { BOOTS, KERNELS, PROFILES, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { PlantedKind } from '../../properties/planted/all.ts';
import { ALL_PLANTED } from '../../properties/planted/all.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import type { SequenceSearch } from '../check/attach-search.ts';
import { lackingIn, withoutLaws } from '../check/pass.ts';

/** As the command line gives them. */
export interface SearchOptions {
  readonly save?: boolean | string;
  readonly seed: string;
  readonly cases: string;
  readonly sequences: string;
  readonly scenarios?: string;
  readonly kernel?: string;
  readonly law?: string;
  readonly planted?: string;
  readonly list?: boolean;
  readonly sites?: boolean;
  /** The file of a page with the return sites. */
  readonly html?: string;
}

/** What describes an attach combination. */
export interface CaseOptions {
  readonly sig: string;
  readonly kinds: string;
  readonly kernel: string;
  readonly boot: string;
  readonly ibt?: boolean;
  readonly livePatch?: boolean;
  readonly tailCalls?: boolean;
}

/** The attach combination that the options describe. */
export function caseOf(options: CaseOptions): ImageCase {
  const kernel = oneOf(options.kernel, KERNELS, '--kernel');
  const { args, ret } = parseSignature(options.sig);
  if (options.tailCalls && (args.length > BPF_ARGS_MAX || args.some(({ size }) => size > 8)))
    throw new InputError(`a BPF program takes at most ${BPF_ARGS_MAX} arguments of one word`);
  return {
    kernel,
    boot: oneOf(options.boot, BOOTS, '--boot'),
    ibt: options.ibt ?? PROFILES[kernel].ibt,
    args: args.map(({ name }) => name),
    ret: ret.name,
    programs: parsePrograms(options.kinds),
    ipmodify: options.livePatch ?? false,
    tailCalls: options.tailCalls ?? false,
  };
}

/** The searches that the options select: over attach combinations, over sequences of calls, or both. */
export interface Searches {
  readonly images: ImageSearch | undefined;
  readonly sequences: SequenceSearch | undefined;
}

/** Names of laws and planted bugs are unique: a name selects its search. */
export function searchesFor(options: SearchOptions): Searches {
  const names = options.law?.split(',').map((name) => name.trim());
  const laws = names?.map((name) => nameOf(name, '--law', [...IMAGE_LAWS, ...ATTACH_LAWS, ...HIT_LAWS]));
  const planted =
    options.planted === undefined
      ? undefined
      : nameOf(options.planted, '--planted', [...PLANTED, ...ATTACH_PLANTED]);
  const seed = seedOf(options.seed);
  return {
    images: imageSearch(options, seed, laws, planted),
    sequences: sequenceSearch(options, seed, laws, planted),
  };
}

/** The number of `--seed`; `random` is any. */
export function seedOf(seed: string): number {
  return seed === 'random' ? randomInt(2 ** 31) : wholeNumber(seed, '--seed', 2 ** 32 - 1);
}

/** The name, if it is one of the list's. A name that belongs to another command is refused with that command. */
function nameOf(name: string, option: '--law' | '--planted', list: readonly Named[]): string {
  const isOf = (names: readonly Named[]) =>
    names.some((named) => isCalled(named, name)) || presentName(name, names) !== undefined;
  const other = isOf(list) ? undefined : elsewhere(isOf);
  if (other !== undefined)
    throw new InputError(
      `${name} belongs to another command (${other.about}): npm run check -- ${other.command} ${option} ${presentName(name, other.laws) ?? name}`,
    );
  return named<Named>(name, list, option === '--law' ? 'law' : 'planted bug').name;
}

type Named = { readonly name: string };

/** The command that checks these laws and planted bugs; undefined: this one. */
const ELSEWHERE: Readonly<Record<PlantedKind, Elsewhere | undefined>> = {
  images: undefined,
  sequences: undefined,
  interleavings: {
    about: 'interleavings',
    command: 'explore',
    laws: ALL_TASK_LAWS,
    planted: ALL_PLANTED.interleavings,
  },
  stubs: { about: 'stubs of raw tracepoints', command: 'stubs', laws: STUB_LAWS, planted: ALL_PLANTED.stubs },
  arguments: { about: 'places of arguments', command: 'abi', laws: ABI_LAWS, planted: ALL_PLANTED.arguments },
};

interface Elsewhere {
  readonly about: string;
  readonly command: string;
  readonly laws: readonly Named[];
  readonly planted: readonly Named[];
}

/** The command that a law or a planted bug belongs to, and its subject. */
function elsewhere(isOf: (names: readonly Named[]) => boolean): Elsewhere | undefined {
  return Object.values(ELSEWHERE).find(
    (elsewhere) => elsewhere !== undefined && (isOf(elsewhere.laws) || isOf(elsewhere.planted)),
  );
}

function imageSearch(
  options: SearchOptions,
  seed: number,
  names: readonly string[] | undefined,
  plantedName: string | undefined,
): ImageSearch | undefined {
  const planted = PLANTED.find(({ name }) => name === plantedName);
  const asked = names === undefined ? undefined : IMAGE_LAWS.filter(({ name }) => names.includes(name));
  if (asked?.length === 0 || (plantedName !== undefined && planted === undefined)) return undefined;
  return {
    seed,
    cases: wholeNumber(options.cases, '--cases', 1e9),
    laws: asked ?? (planted === undefined ? IMAGE_LAWS : [planted.law]),
    planted,
    known: KNOWN,
  };
}

function sequenceSearch(
  options: SearchOptions,
  seed: number,
  names: readonly string[] | undefined,
  plantedName: string | undefined,
): SequenceSearch | undefined {
  const planted = ATTACH_PLANTED.find(({ name }) => name === plantedName);
  const asked = names === undefined ? undefined : attachLaws(names);
  if (asked?.length === 0 || (plantedName !== undefined && planted === undefined)) return undefined;
  if (options.kernel !== undefined) designOf(profileNamed(options.kernel));
  const sequences = wholeNumber(options.sequences, '--sequences', 1e9);
  const profiles =
    options.kernel !== undefined ? [options.kernel] : planted !== undefined ? [planted.profile] : KERNELS;
  const laws = asked ?? (planted === undefined ? undefined : [planted.law]);
  return {
    seed,
    sequences,
    profiles,
    ...(laws === undefined ? askedOf(profiles) : { laws, unasked: [] }),
    planted,
    known: KNOWN_ATTACH,
    sites: RETURN_SITES,
    reachesSites:
      asked === undefined &&
      planted === undefined &&
      seed === REACHING.seed &&
      sequences >= REACHING.sequences,
    printsSites: options.sites ?? false,
    ...(options.html === undefined ? {} : { html: options.html }),
  };
}

/** The laws on sequences, without those that none of the kernels can exercise. */
function askedOf(profiles: readonly string[]): Pick<SequenceSearch, 'laws' | 'unasked'> {
  const laws = [...ATTACH_LAWS, ...HIT_LAWS];
  const unasked = lackingIn(laws, profiles);
  return { laws: withoutLaws(laws, unasked), unasked };
}

/** Laws of sequences by name; for those of tracepoints alone, other sequences are drawn. */
function attachLaws(names: readonly string[]): readonly AttachLaw[] {
  return [...ATTACH_LAWS, ...HIT_LAWS].filter(({ name }) => names.includes(name));
}

/** The entry of a list that an option names. */
export function named<T extends { readonly name: string }>(
  name: string,
  list: readonly T[],
  what: string,
): T {
  const [found, other] = list.filter((entry) => isCalled(entry, name));
  if (found !== undefined && other === undefined) return found;
  if (found !== undefined) throw new InputError(`${name} is ambiguous: ${found.name}, ${other?.name}`, name);
  const current = presentName(name, list);
  if (current !== undefined) throw new InputError(`the ${what} ${name} is now called ${current}`, name);
  const names = list.map((entry) => (name.includes('/') ? entry.name : shortName(entry)));
  throw new InputError(`there is no ${what} ${name}; ${meantOr(name, names, '--list names them all')}`, name);
}

/** The former name of an entry of the list, with or without its directory. */
function presentName(name: string, list: readonly Named[]): string | undefined {
  const [, current] = [...FORMER_NAMES].find(([former]) => isCalled({ name: former }, name)) ?? [];
  return list.some((entry) => entry.name === current) ? current : undefined;
}

/** A law is selected by its name, with or without its directory. */
function isCalled(entry: Named, name: string): boolean {
  return entry.name === name || shortName(entry) === name;
}

function shortName({ name }: Named): string {
  return name.slice(name.indexOf('/') + 1);
}
