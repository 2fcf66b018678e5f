import { expect, test } from 'vitest';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { pairs } from './family.ts';
import { UNSEEN_ENDS } from './unseen-ends.ts';
import { verdictOf } from './verdict-rig.ts';

test('the steps that no other actor sees are steps of the kernel', () => {
  const names = new Set(KERNEL_PROGRAM.instructions.map(({ routine, id }) => `${routine}: ${id}`));
  expect(UNSEEN_ENDS.filter((name) => !names.has(name))).toEqual([]);
});

/*
 * Of a program that is not the kernel's own nothing is known of the readers of its steps: more states, the same verdict.
 */
test.each([
  'modify f2, attach multi f1+f2',
  'register f1, detach multi f2',
  'live patch on f2, attach multi f1+f2',
])('in 7.2, %s', (pair) => {
  const { scenario } = pairs('7.2', 1, 1).find(({ name }) => name === pair)!;
  const { states, ...own } = verdictOf(scenario, {});
  // Edits of none are a program of their own.
  const { states: all, ...other } = verdictOf({ ...scenario, edits: [] }, {});
  expect(other).toEqual(own);
  expect(all).toBeGreaterThan(1.1 * states);
});
