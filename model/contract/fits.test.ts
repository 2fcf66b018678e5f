import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatches } from '../ftrace/glob.ts';
import { fits } from './fits.ts';

test.each([
  ['f1', 'f1', true],
  ['f1', 'f11', false],
  ['f?', 'f1', true],
  ['f?', 'f', false],
  ['*', '', true],
  ['a*a?b', 'aaab', true],
  ['*ab', 'abab', true],
  ['**b', 'ab', true],
  ['f.c', 'fxc', false],
])('%s on %s: %s', (pattern, name, isFitting) => {
  expect(fits(pattern, name)).toBe(isFitting);
});

test('the matcher of the kernel matches what the pattern means', () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
  fc.assert(
    fc.property(text('ab*?'), text('ab'), (pattern, name) => {
      expect(globMatches(pattern, name)).toBe(fits(pattern, name));
    }),
  );
});

test('many stars take no longer than the product of the lengths', () => {
  expect(fits(`${'*a'.repeat(200)}z`, 'a'.repeat(4000))).toBe(false);
});
