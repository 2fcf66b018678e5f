import { expect, test } from 'vitest';
import { Worlds } from './worlds.ts';

/** Worlds of three parts, more than the table of a new one has room for. */
const MANY = Array.from({ length: 2000 }, (_, i) => [i % 7, i, i % 11]);

test('equal worlds have one number, in the order in which they came, also when the table has grown', () => {
  const worlds = new Worlds();
  expect(MANY.map((world) => worlds.numberOf(world))).toEqual(MANY.map((_, i) => i));
  expect(MANY.map((world) => worlds.numberOf([...world]))).toEqual(MANY.map((_, i) => i));
  expect(worlds.size).toBe(MANY.length);
  expect(worlds.get(1999)).toEqual([4, 1999, 8]);
});

test('worlds that differ in one part have different numbers', () => {
  const worlds = new Worlds();
  expect(
    [
      [1, 2, 3],
      [1, 2, 4],
      [3, 2, 1],
      [1, 2, 3],
    ].map((world) => worlds.numberOf(world)),
  ).toEqual([0, 1, 2, 0]);
});
