import { expect, test } from 'vitest';
import { refuseSignature } from './load-target.ts';
import { parseSignature } from './signature.ts';

test.each([
  ['u64 x12 -> u64', undefined],
  ['u64 x13 -> u64', 'EINVAL'],
  ['s24b -> u64', 'EINVAL'],
  ['u64 -> s16b', 'EINVAL'],
])('a program for %s is loaded, or refused: %s', (types, errno) => {
  expect(refuseSignature(parseSignature(types))).toBe(errno);
});
