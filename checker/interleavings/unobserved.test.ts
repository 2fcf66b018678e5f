import { expect, test } from 'vitest';
import { bootKernel } from '../../model/kernel.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { isReachable } from './unobserved.ts';

test.each([
  ['tramp#1', true],
  ['jmp tramp#1', true],
  ['tramp#12', false],
  ['jmp tramp#12', false],
  ['my_tramp1', false],
])('a direct call to %s reaches the first image: %s', (address, isThere) => {
  const k = bootKernel({ profile: '7.2', boot: 'default', functions: [F1], tracepoints: [] });
  k.ftrace.directFunctions['f1'] = address;
  expect(isReachable(k, 'tramp#1')).toBe(isThere);
});
