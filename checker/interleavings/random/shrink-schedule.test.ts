import { describe, expect, test } from 'vitest';
import { linkKernel } from '../../../model/step.ts';
import { inOneLine } from '../../../properties/finding/render.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../../properties/planted/interleavings/all.ts';
import {
  calls,
  open,
  register,
  scenario,
  tracer,
} from '../../../properties/planted/interleavings/scenarios.ts';
import { load } from '../../../properties/planted/sequences/actions.ts';
import type { TaskBreach } from '../judge.ts';
import { explore } from '../search.ts';
import { Space } from '../space.ts';
import { searchSchedules } from './search-schedules.ts';
import type { ShrinkBounds } from './shrink-schedule.ts';
import { shrinkScenario } from './shrink-schedule.ts';
import { tell } from './told.ts';

const BUG = TASK_PLANTED.find(({ name }) => name === 'no-sync-after-heads')!;
const PROGRAM = linkKernel(BUG.edits);
const SAME = { laws: [BUG.law], program: PROGRAM, isSame: ({ law }: TaskBreach) => law === BUG.law };

/** What shows the bug, among other things. */
const LARGE: Scenario = {
  profile: BUG.profile,
  ...scenario({
    setup: [load(1), ...tracer('ops#1'), load(2, 'fexit'), ...tracer('ops#2')],
    clients: [[open(1)], [register('ops#1'), register('ops#2')]],
    callers: [calls('f1'), calls('f1', { interrupt: calls('f1').call })],
    cpus: 2,
  }),
};

function shrunk(bounds?: ShrinkBounds) {
  const search = { laws: [BUG.law], seed: 3, schedules: 200, program: PROGRAM };
  const { found } = searchSchedules(LARGE, search);
  return shrinkScenario(LARGE, found!.moves, SAME, bounds)!;
}

const SHRUNK = shrunk();

describe('a breach that was found by random schedules', () => {
  test('is shrunk to the fewest actions and the shortest way', () => {
    const { scenario: small, moves, breach, proved } = SHRUNK;
    expect(small.clients.flat().length).toBe(1);
    expect(small.callers).toEqual([calls('f1')]);
    expect(small.cpus).toBe(1);
    expect(small.setup.length).toBeLessThanOrEqual(2);
    const [nearest] = explore(new Space(small, { program: PROGRAM }), { laws: [BUG.law] }).breaches;
    expect(moves.length).toBe(nearest!.path.length);
    expect(proved).toBe(true);
    expect(inOneLine(breach.finding)).toBe(BUG.finding);
  });

  test('has no more changes of who moves than it needs', () => {
    const { scenario: small, moves } = SHRUNK;
    const told = tell(new Space(small, { program: PROGRAM, symmetric: false }), moves)!;
    const runs = told.filter(({ who }, i) => told[i - 1]?.who !== who);
    expect(runs.map(({ who }) => who)).toEqual(['client#1', 'task#1']);
  });

  test('is not proved to be the shortest when the explorer may not visit all states', () => {
    const { moves, proved } = shrunk({ states: 5, statesAtLast: 5 });
    expect(proved).toBe(false);
    expect(moves.length).toBeGreaterThanOrEqual(SHRUNK.moves.length);
  });

  test('is shrunk to the same by the same search', () => {
    expect(shrunk()).toEqual(SHRUNK);
  });
});
