import { expect, test } from 'vitest';
import { ATTACH_PLANTED } from '../properties/planted/attach.ts';
import { MUTANTS } from '../properties/planted/mutants.ts';
import { TASK_PLANTED } from '../properties/planted/task.ts';

test('each of the 28 faults names planted bugs that are there, or says why there is none', () => {
  const names = new Set([...ATTACH_PLANTED, ...TASK_PLANTED].map(({ name }) => name));
  expect(MUTANTS.length).toBe(28);
  expect(MUTANTS.flatMap(({ planted }) => planted).filter((name) => !names.has(name))).toEqual([]);
  expect(MUTANTS.filter(({ planted, missing }) => planted.length === 0 && missing === undefined)).toEqual([]);
  expect(MUTANTS.filter(({ planted }) => planted.length > 0).length).toBe(22);
});
