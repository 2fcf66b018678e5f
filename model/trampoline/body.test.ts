import { expect, test } from 'vitest';
import { FUNCTION_BYTES } from '../text/space.ts';
import { assembleFunction } from './body.ts';
import { tracedFunction } from './traced-function.ts';

const LARGEST = [tracedFunction('m14', 1, 's8 x14 -> bool'), tracedFunction('rs', 2, 'u64, s24b x4 -> s16b')];

test.each(LARGEST.map(({ name }, order) => [name, order] as const))(
  '%s fits the place of a function',
  (_, order) => {
    expect(assembleFunction(LARGEST, order, 4).length).toBeLessThan(FUNCTION_BYTES);
  },
);

test('more arguments than fit are refused by name', () => {
  const functions = [tracedFunction('huge', 1, 's8 x40 -> u64')];
  expect(() => assembleFunction(functions, 0, 0)).toThrow('huge is too long for its place');
});

test('the call site is at the start, or after endbr64', () => {
  const start = (siteOffset: number) => [
    ...assembleFunction(LARGEST, 0, siteOffset).subarray(0, siteOffset + 5),
  ];
  const nop = [0x0f, 0x1f, 0x44, 0x00, 0x00];
  expect(start(0)).toEqual(nop);
  expect(start(4)).toEqual([0xf3, 0x0f, 0x1e, 0xfa, ...nop]);
  expect(() => assembleFunction(LARGEST, 0, 2)).toThrow('no call site is at offset 2');
});

test('a body calls functions of its own list', () => {
  const functions = [tracedFunction('ca', 38, 'u64 x3 -> u64')];
  expect(() => assembleFunction(functions, 0, 4)).toThrow('ca calls cb, which is not among the functions');
});
