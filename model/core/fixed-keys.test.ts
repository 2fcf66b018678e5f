import { expect, test } from 'vitest';
import { fixedKeys, fixedValues, withoutKeys } from './fixed-keys.ts';

const table = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i + 1}`, i]));

test('the keys of a large table are listed once, in its order', () => {
  const large = table(2000);
  expect(fixedKeys(large)).toEqual(Object.keys(large));
  expect(fixedKeys(large)).toBe(fixedKeys(large));
  expect(fixedKeys({ ...large, g: 0 }).at(-1)).toBe('g');
});

test('the values of a large table are listed once, beside its keys, and are the ones that change', () => {
  const large = Object.fromEntries(Object.keys(table(2000)).map((key) => [key, { count: 0 }]));
  const values = fixedValues(large);
  expect(fixedKeys(large).every((key, i) => values[i] === large[key])).toBe(true);
  expect(fixedValues(large)).toBe(values);
  large['f7']!.count = 1;
  expect(fixedValues(large)[6]).toEqual({ count: 1 });
  expect(fixedValues(withoutKeys(large, ['f7']))[6]).toBe(large['f8']);
});

test('those of a small table are listed each time', () => {
  const small = table(3);
  expect(fixedKeys(small)).toEqual(['f1', 'f2', 'f3']);
  expect(fixedKeys(withoutKeys(small, ['f2', 'f4']))).toEqual(['f1', 'f3']);
});
