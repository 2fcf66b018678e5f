import { item, last } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { multiKinds } from '../../model/trampoline/designs/chosen.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Behaviour } from './behaviour.ts';
import type { Behaviours } from './behaviours.ts';
import type { Alphabet } from './letter.ts';
import { attachLetters, spellLetter } from './letter.ts';

/*
 * The scope of comparing two kernels: operations that both accept. A program that one of them refuses while nothing
 * else is attached is not part of its interface, as opposed to its behaviour.
 */

/** The scope of histories: two functions, and the maximum number of operations. */
export interface Ground {
  readonly functions: readonly TracedFunction[];
  readonly length: number;
  /** Longer ones are compared later. */
  readonly goesOn: boolean;
}

/**
 * Words of the second function: one more than there are registers, or, if an image does not support that, the same
 * number.
 */
const MANY = [7, 6] as const;

/** Kinds of programs that are compared. */
const KINDS: readonly TracingKind[] = ['fentry', 'fexit', 'fmod_ret'];

/**
 * Operations on functions that are alike: an image shared by functions of one number of arguments shows itself soon.
 */
const ALIKE = 3;

/** Short histories are compared first, wherever they are. */
const SHORT = 2;

/**
 * Two functions with different numbers of arguments, the largest that all of these kernels attach multi links to; and
 * two with the same number, in shorter histories. It yields until its requests are answered.
 */
export function* groundsFor(
  profiles: readonly string[],
  length: number,
  behaviours: Behaviours,
): Generator<void, readonly Ground[], boolean> {
  const functions = yield* differentFor(profiles, behaviours);
  const alike = [tracedFunction('f2', 1, 'u64 x2 -> u64'), tracedFunction('g2', 2, 'u64 x2 -> u64')];
  const goesOn = length > SHORT;
  const grounds = [
    { functions, length: Math.min(length, SHORT), goesOn },
    { functions: alike, length: Math.min(length, ALIKE), goesOn: false },
  ];
  return goesOn ? [...grounds, { functions, length, goesOn: false }] : grounds;
}

function* differentFor(
  profiles: readonly string[],
  behaviours: Behaviours,
): Generator<void, readonly TracedFunction[], boolean> {
  const different = MANY.map((many) => [
    tracedFunction('f2', 1, 'u64 x2 -> u64'),
    tracedFunction(`f${many}`, 2, `u64 x${many} -> u64`),
  ]);
  for (const functions of different) {
    const takers = yield* takersOf(profiles, functions, behaviours);
    if (takers.length === profiles.length) return functions;
  }
  return last(different);
}

/** The kernels in which some program can be attached to the last of these functions. */
function* takersOf(
  profiles: readonly string[],
  functions: readonly TracedFunction[],
  behaviours: Behaviours,
): Generator<void, readonly string[], boolean> {
  const newest = last(functions).name;
  const alphabets = profiles.map((profile) => alphabetOf(kindsOf(profile), functions));
  const all = profiles.map((profile) => behaviours.of(profile, functions));
  all.forEach((behaviour, i) => {
    behaviour.ask(0, attachLetters(item(alphabets, i)), false);
  });
  yield;
  return profiles.filter((_, i) => {
    const refused = refusedBy(item(all, i), item(alphabets, i));
    return attachLetters(item(alphabets, i)).some(
      (letter) => letter.multi && letter.targets.join() === newest && !refused.has(spellLetter(letter)),
    );
  });
}

function kindsOf(profile: string): readonly TracingKind[] {
  return multiKinds(profileNamed(profile)).filter((kind) => KINDS.includes(kind));
}

function alphabetOf(kinds: readonly TracingKind[], functions: readonly TracedFunction[]): Alphabet {
  return { functions: functions.map(({ name }) => name), kinds, without: new Set() };
}

/** The operations of two kernels' histories, and those left out because one kernel refuses them by themselves. */
export interface Offer {
  readonly alphabet: Alphabet;
  readonly refused: readonly [Refused, Refused];
}

/** Attaching that is refused, with the answers. */
export type Refused = ReadonlyMap<string, string>;

/** The common operations of two kernels on some functions. It yields until its requests are answered. */
export function* offerOf(
  profiles: readonly [string, string],
  behaviours: readonly [Behaviour, Behaviour],
  functions: readonly TracedFunction[],
): Generator<void, Offer, boolean> {
  const [kinds, others] = profiles.map(kindsOf) as [readonly TracingKind[], readonly TracingKind[]];
  const alphabet = alphabetOf(
    kinds.filter((kind) => others.includes(kind)),
    functions,
  );
  for (const behaviour of behaviours) behaviour.ask(0, attachLetters(alphabet), false);
  yield;
  const [refused, other] = behaviours.map((behaviour) => refusedBy(behaviour, alphabet)) as [
    Refused,
    Refused,
  ];
  return {
    alphabet: { ...alphabet, without: new Set([...refused.keys(), ...other.keys()]) },
    refused: [refused, other],
  };
}

function refusedBy(behaviour: Behaviour, alphabet: Alphabet): Refused {
  const refused = new Map<string, string>();
  for (const letter of attachLetters(alphabet)) {
    const name = spellLetter(letter);
    const errno = behaviour.after(0, name).shown.answers.find((answer) => answer !== 0);
    if (errno !== undefined) refused.set(name, `-${errno}`);
  }
  return refused;
}
