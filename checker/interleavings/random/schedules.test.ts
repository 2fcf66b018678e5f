import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calls, open, scenario } from '../../../properties/planted/interleavings/scenarios.ts';
import { load } from '../../../properties/planted/sequences/actions.ts';
import { THOROUGH } from '../../../test/thorough.ts';
import { Space } from '../space.ts';
import { schedules } from './schedules.ts';
import { tell } from './told.ts';
import { Walker } from './walk.ts';

const TWO_COME = {
  profile: '6.12',
  ...scenario({
    setup: [load(1), load(2, 'fexit')],
    clients: [[open(1)], [open(2)]],
    callers: [calls('f1'), calls('f1')],
    cpus: 2,
  }),
};

function walks(seed: number, count: number): (readonly number[])[] {
  const walker = new Walker(new Space(TWO_COME, { symmetric: false }), []);
  return fc.sample(schedules, { seed, numRuns: count }).map((make) => walker.walk(make(150)).moves);
}

const space = new Space(TWO_COME, { symmetric: false });

/** How often another one moves than before. */
function switches(moves: readonly number[]): number {
  const told = tell(space, moves)!;
  return told.filter(({ who }, i) => i > 0 && told[i - 1]!.who !== who).length;
}

describe('schedules', () => {
  test('are the same for the same seed, whatever was walked before', () => {
    const all = walks(7, 12);
    expect(walks(7, 12)).toEqual(all);
    const walker = new Walker(new Space(TWO_COME, { symmetric: false }), []);
    const last = fc.sample(schedules, { seed: 7, numRuns: 12 }).at(-1)!;
    expect(walker.walk(last(150)).moves).toEqual(all.at(-1));
    expect(walks(8, 12)).not.toEqual(all);
  });

  test('let the same actor continue in some walks, and switch often in others', () => {
    const counts = walks(3, 60).map(switches);
    expect(counts.filter((count) => count < 6).length).toBeGreaterThan(5);
    expect(counts.filter((count) => count > 16).length).toBeGreaterThan(5);
  });

  test('hardly ever come twice', () => {
    const [drawn, different] = THOROUGH ? [40, 36] : [20, 17];
    expect(new Set(walks(5, drawn).map(String)).size).toBeGreaterThan(different);
  });
});
