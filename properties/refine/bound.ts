import { profileNamed } from '../../model/core/profile.ts';
import { multiKinds } from '../../model/trampoline/designs/chosen.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Behaves } from './behaviour.ts';
import { Behaviour } from './behaviour.ts';
import type { Alphabet } from './letter.ts';
import { attachLetters, spellLetter } from './letter.ts';

/*
 * What two kernels are compared on: what both take. A program that one of them refuses while nothing else is attached is
 * no part of what it offers, and is told apart from how it behaves.
 */

/** What histories are about: two functions, and how many operations they have at the most. */
export interface Ground {
  readonly functions: readonly TracedFunction[];
  readonly length: number;
}

/** Words of the second function: one more than there are registers, or where an image cannot carry that, as many. */
const MANY = [7, 6] as const;

/** Kinds of programs that are compared. */
const KINDS: readonly Kind[] = ['fentry', 'fexit', 'fmod_ret'];

/** Operations on functions that are alike: what has one image for those of one number of arguments shows itself soon. */
const ALIKE = 3;

/** Short histories are compared first, wherever they are. */
const SHORT = 2;

/**
 * Two functions with different numbers of arguments, as many as all of these kernels attach multi links to; and two with
 * the same number, in shorter histories.
 */
export function groundsFor(profiles: readonly string[], length: number): readonly Ground[] {
  const different = MANY.map((many) => [
    tracedFunction('f2', 1, 'u64 x2 -> u64'),
    tracedFunction(`f${many}`, 2, `u64 x${many} -> u64`),
  ]);
  const fits = different.find((functions) => profiles.every((profile) => takesAll(profile, functions)));
  const alike = [tracedFunction('f2', 1, 'u64 x2 -> u64'), tracedFunction('g2', 2, 'u64 x2 -> u64')];
  const functions = fits ?? different.at(-1)!;
  const grounds = [
    { functions, length: Math.min(length, SHORT) },
    { functions: alike, length: Math.min(length, ALIKE) },
  ];
  return length > SHORT ? [...grounds, { functions, length }] : grounds;
}

/** Whether some program can be attached to the last of these functions. */
function takesAll(profile: string, functions: readonly TracedFunction[]): boolean {
  const alphabet = alphabetOf(kindsOf(profile), functions);
  const refused = refusedBy(new Behaviour(profile, functions), alphabet);
  const last = functions.at(-1)!.name;
  return attachLetters(alphabet).some(
    (letter) => letter.multi && letter.targets.join() === last && !refused.has(spellLetter(letter)),
  );
}

function kindsOf(profile: string): readonly Kind[] {
  return multiKinds(profileNamed(profile)).filter((kind) => KINDS.includes(kind));
}

function alphabetOf(kinds: readonly Kind[], functions: readonly TracedFunction[]): Alphabet {
  return { functions: functions.map(({ name }) => name), kinds, without: new Set() };
}

/** What histories of two kernels are made of, and what was left out because one of them refuses it by itself. */
export interface Offer {
  readonly alphabet: Alphabet;
  readonly refused: readonly [Refused, Refused];
}

/** Attaching that is refused, with the answers. */
export type Refused = ReadonlyMap<string, string>;

export function offerOf(
  profiles: readonly [string, string],
  behaviours: readonly [Behaves, Behaves],
  functions: readonly TracedFunction[],
): Offer {
  const [kinds, others] = profiles.map(kindsOf) as [readonly Kind[], readonly Kind[]];
  const alphabet = alphabetOf(
    kinds.filter((kind) => others.includes(kind)),
    functions,
  );
  const [one, other] = behaviours.map((behaviour) => refusedBy(behaviour, alphabet)) as [Refused, Refused];
  return {
    alphabet: { ...alphabet, without: new Set([...one.keys(), ...other.keys()]) },
    refused: [one, other],
  };
}

function refusedBy(behaviour: Behaves, alphabet: Alphabet): Refused {
  const refused = new Map<string, string>();
  for (const letter of attachLetters(alphabet)) {
    const name = spellLetter(letter);
    const errno = behaviour.after(0, letter, name, false).shown.answers.find((answer) => answer !== 0);
    if (errno !== undefined) refused.set(name, `-${errno}`);
  }
  return refused;
}
