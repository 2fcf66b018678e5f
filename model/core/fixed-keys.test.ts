import { expect, test } from 'vitest';
import { fixedKeys, withoutKeys } from './fixed-keys.ts';

const table = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i + 1}`, i]));

test('the keys of a large table are listed once, in its order', () => {
  const large = table(2000);
  expect(fixedKeys(large)).toEqual(Object.keys(large));
  expect(fixedKeys(large)).toBe(fixedKeys(large));
  expect(fixedKeys({ ...large, g: 0 }).at(-1)).toBe('g');
});

test('those of a small table are listed each time', () => {
  const small = table(3);
  expect(fixedKeys(small)).toEqual(['f1', 'f2', 'f3']);
  expect(fixedKeys(withoutKeys(small, ['f2', 'f4']))).toEqual(['f1', 'f3']);
});
