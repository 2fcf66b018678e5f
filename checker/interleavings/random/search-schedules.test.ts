import { describe, expect, test } from 'vitest';
import { linkKernel } from '../../../model/step.ts';
import { rendered } from '../../../properties/finding/render.ts';
import { TASK_PLANTED } from '../../../properties/planted/interleavings/all.ts';
import { noOverwriteOfRunningCode } from '../../../properties/task/no-overwrite-of-running-code.ts';
import { someOf, THOROUGH } from '../../../test/thorough.ts';
import { searchRandomly, searchSchedules } from './search-schedules.ts';

/** Schedules that a planted bug needs on its own scenario, at most, with this seed. */
const SCHEDULES = 4_000;
const SEED = 1;

describe.each(someOf(TASK_PLANTED, 12).map((planted) => [planted.name, planted] as const))(
  '%s',
  (_, planted) => {
    test('is found by random schedules', () => {
      const { profile, scenario, law, edits, grain = 'visible' } = planted;
      const { found } = searchSchedules(
        { profile, ...scenario },
        { laws: [law], seed: SEED, schedules: SCHEDULES, program: linkKernel(edits), grain },
      );
      expect(found?.breach.law).toBe(law);
    });
  },
);

test('a task that returns into the middle of code written over an image crashes', () => {
  const { profile, scenario } = TASK_PLANTED.find(({ name }) => name === 'live-image-half-is-overwritten')!;
  const seen = new Set<string>();
  searchSchedules(
    { profile, ...scenario },
    {
      laws: [noOverwriteOfRunningCode],
      seed: 10,
      schedules: 200,
      isKnown: ({ finding }) => !!seen.add(rendered(finding).observed),
    },
  );
  expect([...seen]).toContain('executes what was written over it, at tramp#3+0x3f');
});

const BOUND = THOROUGH ? { seed: 1, scenarios: 6, schedules: 4 } : { seed: 1, scenarios: 2, schedules: 2 };

describe('a random search', () => {
  const planted = TASK_PLANTED.find(({ name }) => name === 'image-does-not-hold-its-trampoline')!;
  const search = {
    profile: planted.profile,
    laws: [planted.law],
    ...BOUND,
    program: linkKernel([]),
    nameOf: () => undefined,
  };

  test('has the same result for the same seed', () => {
    const all = [...searchRandomly(search)];
    expect([...searchRandomly(search)]).toEqual(all);
    expect(all.at(-1)).toMatchObject({
      scenarios: BOUND.scenarios,
      walks: BOUND.scenarios * BOUND.schedules,
      found: undefined,
    });
    expect(all.at(-1)!.moves).toBeGreaterThan(200);
    expect([...searchRandomly({ ...search, seed: BOUND.seed + 1 })]).not.toEqual(all);
  });

  test('skips a breach that a sequence of calls shows as well', () => {
    const faulty = { ...search, seed: 2, scenarios: 2 * BOUND.scenarios, program: linkKernel(planted.edits) };
    const last = [...searchRandomly(faulty)].at(-1)!;
    expect(last.found).toBeUndefined();
    expect(last.atomic).toBeGreaterThan(0);
  });
});
