import { profileNamed } from '../../model/core/profile.ts';
import { multiKinds } from '../../model/trampoline/designs/chosen.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Alphabet } from './letter.ts';

/** Operations of a history, when nothing is said. */
export const OPERATIONS = 4;

/** Words of the second function: one more than registers, where an image can carry them. */
const MANY = 7;

/** The functions of histories: one whose arguments are in registers, and one with as many as all these kernels can carry. */
export function functionsFor(profiles: readonly string[]): readonly TracedFunction[] {
  const many = Math.min(MANY, ...profiles.map((profile) => profileNamed(profile).trampolineSlotsMax));
  return [tracedFunction('f2', 1, 'u64 x2 -> u64'), tracedFunction(`f${many}`, 2, `u64 x${many} -> u64`)];
}

/** What histories of these kernels are made of: programs of the kinds that all of them take for multi links. */
export function alphabetFor(profiles: readonly string[], functions: readonly TracedFunction[]): Alphabet {
  const [first, ...others] = profiles.map((profile) => multiKinds(profileNamed(profile)));
  return {
    functions: functions.map(({ name }) => name),
    kinds: first!.filter((kind) => kind !== 'fsession' && others.every((kinds) => kinds.includes(kind))),
  };
}
