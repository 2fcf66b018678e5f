import { expect, test } from 'vitest';
import { chosenParts } from './parts.ts';

const names = (only: readonly string[], all = false) => chosenParts(only, all).map(({ name }) => name);

test('a part that takes minutes is run if it is named, or if all are', () => {
  expect(names([])).not.toContain('check');
  expect(names([], true)).toContain('check');
  expect(names(['start', 'check'])).toEqual(['check', 'start']);
});

test('an unknown part is refused', () => {
  expect(() => names(['explore'])).toThrow('--only explore: there is no such part; did you mean explorer?');
});
