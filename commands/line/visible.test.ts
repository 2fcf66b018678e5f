import { expect, test } from 'vitest';
import { visible } from './visible.ts';

test('a text that is quoted does not steer the terminal', () => {
  expect(visible('there is no call \x1b]0;owned\x07 x\u202ey\nand\tnext')).toBe(
    'there is no call \\x1b]0;owned\\x07 x\\x202ey\nand\\x09next',
  );
  expect(visible('✗ ordinary · text ≠ 5 … 6')).toBe('✗ ordinary · text ≠ 5 … 6');
});

test('a word without an end is cut, and its length said', () => {
  expect(visible(`no law ${'r'.repeat(5000)}; --list`)).toBe(
    `no law ${'r'.repeat(100)}… (5001 characters) --list`,
  );
});
