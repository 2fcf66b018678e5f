import { describe, expect, test } from 'vitest';
import { InputError } from '../../model/core/input-error.ts';
import { THOROUGH } from '../thorough.ts';
import { fuzzCommandLines } from './command-lines.ts';
import { fuzz } from './fuzzed.ts';
import { READERS } from './readers.ts';

const INPUTS = THOROUGH ? 5000 : 150;

describe('damaged input is refused in one sentence, or read', () => {
  test.each(READERS.map((reader) => [reader.name, reader] as const))('%s', (_, reader) => {
    const accepted = reader.seeds.filter((text) => accepts(reader.read, text));
    expect(accepted.length).toBeGreaterThan(0.6 * reader.seeds.length);
    fuzz(reader, { seed: 1, inputs: INPUTS });
  });
});

/** Whether a seed is read; some are of the other kind of file with their ending. */
function accepts(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

test('an exception of a reader is found, with its input', () => {
  const read = (text: string) => {
    if (text.includes('__proto__')) throw new TypeError('not a function');
  };
  expect(() => fuzz({ name: 'a reader', seeds: ['abc'], read }, { seed: 1, inputs: 2000 })).toThrow(
    /^a reader: ".*__proto__.*"\nTypeError: not a function/,
  );
});

test('no command line ends with a stack trace', async () => {
  await fuzzCommandLines({ seed: 1, inputs: THOROUGH ? 300 : 20 });
});
