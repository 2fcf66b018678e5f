import { expect, test } from 'vitest';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Compared, Seen } from './seen.ts';
import { inSameWords } from './seen.ts';

const compared: Compared = {
  functions: [tracedFunction('v3', 20, 'u64 x3 -> void'), tracedFunction('f1', 1, 'u64 -> u64')],
  probes: new Set(),
};

function afterReturn(ret: string, ranFor?: string): Seen {
  return { kind: 'program', who: 'prog#1', fn: '', ret, ...(ranFor === undefined ? {} : { ranFor }) };
}

test.each([
  ['v3', 'program prog#1 returns nothing', 'program prog#1 returns nothing'],
  ['f1', 'program prog#1 returns 0x489e', 'program prog#1 returns 0x0'],
])('what a program sees %s return is compared as wide as the function’s type', (fn, kernel, model) => {
  const words = inSameWords([afterReturn('0x489e')], [afterReturn('0x0', fn)], compared);
  expect(words).toEqual({ kernel: [kernel], model: [model] });
});
