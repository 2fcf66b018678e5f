import { item } from '../core/present.ts';
import { InputError } from './input-error.ts';
import { oneOf, wholeNumber } from './input-value.ts';
import type { Profile } from './profile.ts';

/**
 * The change that `imageLifecycle = C` makes to a profile; any of the kernels says which behaviours there are.
 * Throws an InputError when there is no such behaviour, or when it has no such value in a kernel, nor had in an
 * older one, and is no smaller bound.
 */
export function overridden(override: string, kernels: readonly Profile[]): Partial<Profile> {
  const [key = '', value = '', ...more] = override.split('=').map((part) => part.trim());
  if (more.length > 0) throw new InputError(`"${override}" is not one behaviour and its value`, override);
  const behaviourName = oneOf(key, behaviourNames(item(kernels, 0)), 'behaviour');
  if (NAMED_ELSEWHERE.includes(key) && value !== '') return { [behaviourName]: value };
  const values = [...olderValues(behaviourName), ...kernels.map((profile) => profile[behaviourName])];
  if (BOUNDS.includes(key))
    return { [behaviourName]: wholeNumber(value, key, Math.max(...values.map(Number))) };
  const found = [...values, true, false].find(
    (known) => String(known) === value && typeof known === typeof values[0],
  );
  if (found === undefined)
    throw new InputError(
      `behaviour ${key} has no value ${value}; there are ${[...new Set(values)].join(', ')}`,
    );
  return { [behaviourName]: found };
}

/** Values of a behaviour that no kernel of ours has. */
export function olderValues(behaviourName: keyof Profile): readonly string[] {
  return ELSEWHERE[behaviourName] ?? [];
}

/**
 * The behaviours that can be overridden, in the order of a profile: what it is called
 * and how it is booted is none.
 */
export function behaviourNames(profile: Profile): (keyof Profile)[] {
  const names = Object.keys(profile) as (keyof Profile)[];
  return names.filter((name) => !NO_BEHAVIOUR.includes(name) && typeof profile[name] !== 'object');
}

const NO_BEHAVIOUR: readonly (keyof Profile)[] = ['kernel', 'sentence'];

/** How much of something there is: overridden by any smaller number, which a short sequence of calls uses up. */
const BOUNDS: readonly string[] = ['trampolineSlotsMax', 'linksMax', 'retfuncDepth', 'shadowStackWords'];

/** Whether a behaviour says how much of something there is, and not what the kernel does. */
export function isCapacity(behaviourName: keyof Profile): boolean {
  return BOUNDS.includes(behaviourName);
}

/**
 * Behaviours whose values are listed where they are modelled: booting a kernel with an
 * unknown value is refused there.
 */
const NAMED_ELSEWHERE: readonly string[] = ['multiLinks'];

/**
 * Values of kernels that have no profile (A in Linux 5.6 to 5.11), of a proposal that is in none (`ret_stack`), and of
 * a boot parameter (`preempt=`).
 */
const ELSEWHERE: Partial<Record<keyof Profile, readonly string[]>> = {
  imageLifecycle: ['A'],
  kretprobe: ['ret_stack'],
  preemption: ['voluntary', 'none'],
};
