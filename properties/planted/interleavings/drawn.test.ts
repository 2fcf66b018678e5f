import { describe, expect, test } from 'vitest';
import { drawnScenarios } from '../../../checker/interleavings/random/draw-scenario.ts';
import { searchSchedules } from '../../../checker/interleavings/random/search-schedules.ts';
import { linkKernel } from '../../../model/step.ts';
import { someOf } from '../../../test/thorough.ts';
import { TASK_PLANTED } from './all.ts';
import { DRAWN_PLANTED, SCHEDULES, SELDOM_DRAWN } from './drawn.ts';

test('every planted bug of interleavings is found where scenarios are drawn, or has a reason why that takes long', () => {
  const listed = [...Object.keys(DRAWN_PLANTED), ...Object.keys(SELDOM_DRAWN)];
  expect(listed.sort()).toEqual(TASK_PLANTED.map(({ name }) => name).sort());
});

describe.each(someOf(Object.entries(DRAWN_PLANTED), 10))('%s', (name, { seed, scenario: number }) => {
  test('is found in a drawn scenario by random schedules', () => {
    const { profile, law, edits } = TASK_PLANTED.find((planted) => planted.name === name)!;
    const search = { laws: [law], seed: seed + number - 1, schedules: SCHEDULES };
    const scenario = drawnScenarios(profile, seed, number).at(-1)!;
    const { found, walks } = searchSchedules(scenario, { ...search, program: linkKernel(edits) });
    expect(found?.breach.law).toBe(law);
    if (edits.length > 0)
      expect(searchSchedules(scenario, { ...search, schedules: walks }).found).toBeUndefined();
  });
});
