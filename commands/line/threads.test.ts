import { expect, test } from 'vitest';
import { threadsBeside } from './threads.ts';

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 7],
  [9, 8],
  [64, 8],
])('on %i cores there are %i threads beside the main one', (cores, threads) => {
  expect(threadsBeside(cores)).toBe(threads);
});
