import { expect, test } from 'vitest';
import { TASK_PLANTED } from '../interleavings/all.ts';
import { ATTACH_PLANTED } from '../sequences/all.ts';
import { MUTANTS } from './mutants.ts';

test('each of the 28 faults names existing planted bugs, or says why there is none', () => {
  const names = new Set([...ATTACH_PLANTED, ...TASK_PLANTED].map(({ name }) => name));
  expect(MUTANTS.length).toBe(28);
  expect(MUTANTS.flatMap(({ planted }) => planted).filter((name) => !names.has(name))).toEqual([]);
  expect(MUTANTS.filter(({ planted, missing }) => planted.length === 0 && missing === undefined)).toEqual([]);
  expect(MUTANTS.filter(({ planted }) => planted.length > 0).length).toBe(22);
});
