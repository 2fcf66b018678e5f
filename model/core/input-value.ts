import { InputError } from './input-error.ts';

/** One of the known values of an option or a field; `what` names it in the sentence of a refusal. */
export function oneOf<T extends string>(value: string, known: readonly T[], what: string): T {
  if (!known.includes(value as T))
    throw new InputError(`${what} ${value} is not known; there are ${known.join(', ')}`, value);
  return value as T;
}

/** A whole number from `least` to `most`, in decimal digits. */
export function wholeNumber(text: string, what: string, most: number, least = 0): number {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new InputError(`${what} ${text} is not a whole number from ${least} to ${most}`, text);
  return value;
}
