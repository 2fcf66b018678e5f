import { InputError } from '../core/input-error.ts';
import type { Word } from '../x86/word.ts';
import { fromHex } from '../x86/word.ts';

/** Reads a word as traces have it. */
export function parseWord(text: string): Word {
  if (!/^0x[0-9a-f]{1,16}$/.test(text))
    throw new InputError(`${text} is not a word like 0x5100000071000000`, text);
  return fromHex(text);
}
