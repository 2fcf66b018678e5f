import { expect, test } from 'vitest';
import { forget } from './forget.ts';

test('a field of an object is gone; one that the class of a facade has reads like one that is absent', () => {
  const own: { a?: number; b: number } = { a: 1, b: 2 };
  forget(own, 'a');
  forget(own, 'a');
  expect(Object.keys(own)).toEqual(['b']);
  let value: number | null = 1;
  class Facade {
    get a(): number {
      return value as number;
    }
    set a(next: number) {
      value = next;
    }
  }
  forget(new Facade() as { a?: number }, 'a');
  expect(value).toBeNull();
});
