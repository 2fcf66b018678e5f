import { InputError } from '../core/input-error.ts';
import type { Word } from '../x86/word.ts';
import { fromBigInt, fromHex, toHex } from '../x86/word.ts';

/** A word as traces have it. */
const SAVED = /^0x[0-9a-f]{1,16}$/;
/** And as a person may write it: decimal, in capitals, or negative, in two's complement. */
const WRITTEN = /^(-?)(0x[0-9a-f]+|\d+)$/i;
const LEAST = -(2n ** 63n);
const LIMIT = 2n ** 64n;

/**
 * A word of 64 bits, as a pair of 32-bit halves: JavaScript numbers are exact up to 2^53 only, and BigInt is
 * too slow for the emulator.
 */
export function parseWord(text: string): Word {
  const word = SAVED.test(text) ? fromHex(text) : written(text);
  if (word === undefined) throw new InputError(`${text} is not a word of 64 bits, like 0x1001 or -1`, text);
  return word;
}

function written(text: string): Word | undefined {
  const [, minus = '', digits = ''] = WRITTEN.exec(text) ?? [];
  if (digits === '') return undefined;
  const value = minus === '' ? BigInt(digits) : -BigInt(digits);
  return value < LEAST || value >= LIMIT ? undefined : fromBigInt(BigInt.asUintN(64, value));
}

/** The text with what are words in it as traces have them. */
export function withSavedWords(text: string): string {
  return text.replace(/(?<=[(,=]\s*)-?\w+(?=[,)\s]|$)/g, (word) => {
    const value = written(word);
    return value === undefined ? word : toHex(value);
  });
}
