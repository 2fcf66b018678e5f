import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { ExhaustiveSearch } from '../../checker/sequences/exhaustive/search.ts';
import { smallWorldOf } from '../../checker/sequences/exhaustive/small-world.ts';
import { absentCall } from '../../checker/sequences/judge-sequence.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import type { Action } from '../../model/client/all.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { lawsOf } from '../judge/judge.ts';
import { readTrace } from '../line/read-trace.ts';
import { DEFAULT_BOUNDS } from './default-bounds.ts';

/** As the command line gives them. */
export interface ExhaustLine {
  readonly depth: string;
  readonly states: string;
  readonly wide?: boolean;
  readonly faults?: boolean;
  readonly kernel?: string;
  readonly law?: string;
  readonly planted?: string;
}

/** The same calls in one kernel, or in each. */
export interface Exhaustion {
  readonly searches: readonly ExhaustiveSearch[];
  readonly planted: AttachPlanted | undefined;
  /** Laws that were named, each of which has to be exercised. */
  readonly areNamed: boolean;
  /** The command that searches again: `exhaust a.calls --wide`. */
  readonly words: string;
}

const DEPTH_MOST = 100;
const STATES_MOST = 1e7;

/** Every search that the options describe; an InputError says what is wrong with them. */
export function exhaustionOf(path: string | undefined, line: ExhaustLine): Exhaustion {
  const bounds = {
    depth: wholeNumber(line.depth, '--depth', DEPTH_MOST, 1),
    states: wholeNumber(line.states, '--states', STATES_MOST, 1),
  };
  const own = line.planted === undefined ? undefined : plantedNamed(line.planted);
  if (path === undefined && own === undefined)
    throw new InputError('exhaust needs a file with calls, or --planted with the name of a bug of sequences');
  const given = path === undefined ? exampleOf(own!) : calledIn(path, line.kernel);
  const planted = own ?? plantedIn(ATTACH_PLANTED, given.planted);
  const wide = line.wide === true || path === undefined;
  const searches = given.cases
    .map((c) => (line.kernel === undefined ? c : { ...c, profile: line.kernel }))
    .map((c) => ({
      ...searchOf(c, { wide, faults: line.faults === true }),
      ...bounds,
      ...questionOf(c, planted, line.law),
    }));
  return { searches, planted, areNamed: line.law !== undefined, words: wordsOf(path, line) };
}

function wordsOf(path: string | undefined, line: ExhaustLine): string {
  const { depth, states, wide = false, faults = false } = line;
  const named = (['kernel', 'law', 'planted'] as const).flatMap((name) => {
    const value = line[name];
    return value === undefined ? [] : [`--${name} ${shellWord(value)}`];
  });
  return [
    'exhaust',
    ...(path === undefined ? [] : [shellWord(path)]),
    ...(wide ? ['--wide'] : []),
    ...(faults ? ['--faults'] : []),
    ...named,
    ...(depth === DEFAULT_BOUNDS.depth ? [] : [`--depth ${depth}`]),
    ...(states === DEFAULT_BOUNDS.states ? [] : [`--states ${states}`]),
  ].join(' ');
}

function plantedNamed(name: string): AttachPlanted {
  const planted = ATTACH_PLANTED.find((bug) => bug.name === name);
  if (planted === undefined)
    throw new InputError(`there is no planted bug of sequences ${name}; --list names them all`, name);
  return planted;
}

interface Called {
  readonly cases: readonly AttachCase[];
  readonly planted: string | undefined;
}

function exampleOf({ profile, functions = [F1], tracepoints = [], smallest }: AttachPlanted): Called {
  return { cases: [{ profile, functions, tracepoints, actions: smallest }], planted: undefined };
}

function calledIn(path: string, kernel: string | undefined): Called {
  if (kernel !== undefined) profileNamed(kernel);
  const { text } = readTrace(path);
  return located(path, () => {
    if (traceKind(text) !== 'sequence')
      throw new InputError('it is no sequence of calls; docs/traces.md has the form of a file');
    const { cases, planted } = readOwnSequence(text);
    return { cases: kernel === undefined ? cases : cases.slice(0, 1), planted };
  });
}

/** The small world of some calls: these alone, or those of their mechanisms. */
function searchOf(c: AttachCase, { wide, faults }: { readonly wide: boolean; readonly faults: boolean }) {
  const missing = absentCall(c);
  if (missing !== undefined) throw new InputError(`kernel ${c.profile} has no ${missing.do}()`);
  const world = smallWorldOf(c);
  const fails = faults || world.fails;
  return wide
    ? { ...world, fails }
    : { ...world, fails, alphabet: eachOnce(c.actions), asNamed: true as const };
}

/** A failure is no call of its own: the search tries each that is on the way. */
function eachOnce(actions: readonly Action[]): Action[] {
  const texts = actions.filter((action) => action.do !== 'fail').map((action) => JSON.stringify(action));
  return [...new Set(texts)].map((text) => JSON.parse(text) as Action);
}

function questionOf(c: AttachCase, planted: AttachPlanted | undefined, names: string | undefined) {
  const all = lawsOf(c);
  const laws = names === undefined ? (planted === undefined ? all : [planted.law]) : namedLaws(names, all);
  const known = planted === undefined ? KNOWN_ATTACH : [];
  return { laws, known, others: names === undefined ? [] : all, program: plantedKernel(planted) };
}

function namedLaws(text: string, all: readonly AttachLaw[]): AttachLaw[] {
  return text.split(',').map((word) => {
    const name = word.trim();
    const law = all.find((own) => own.name === name);
    if (law !== undefined) return law;
    throw new InputError(`there is no law on these sequences ${name}; --list names them all`, name);
  });
}
