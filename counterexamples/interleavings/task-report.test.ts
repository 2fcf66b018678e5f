import { beforeAll, describe, expect, test } from 'vitest';
import { concretePath } from '../../checker/interleavings/concrete.ts';
import { runsOf } from '../../checker/interleavings/schedule.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { LINES_MOST } from '../sequences/attach-report.ts';
import { describeTask } from './task-describe.ts';
import { BREADTH_FIRST } from './task-report.ts';

/** The owner of a trampoline and a live patch wait for each other's lock. */
const PLANTED = TASK_PLANTED.find(({ name }) => name === 'peer-waits-for-the-trampoline')!;

describe('the report of those who wait for each other', () => {
  let lines: string[];
  beforeAll(() => {
    const { law, profile } = PLANTED;
    const scenario = { ...PLANTED.scenario, profile };
    const space = new Space(scenario, { program: plantedKernel(PLANTED) });
    const [found] = explore(space, { laws: [law] }).breaches;
    const schedule = { scenario, runs: runsOf(concretePath(space, found!.path)) };
    const outcome = describeTask(schedule, law, { planted: PLANTED, known: undefined, found: BREADTH_FIRST });
    if (outcome.is !== 'broken') throw new Error(`it is not stuck again: ${outcome.is}`);
    lines = outcome.counterexample.trace.report.split('\n');
  });

  test('has a line for each of them', () => {
    const index = lines.findIndex((line) => line.startsWith('  observed   '));
    expect(lines.slice(index, index + 3)).toMatchInlineSnapshot(`
      [
        "  observed   client#1 waits for direct_mutex, which client#2 holds",
        "             client#2 waits for mutex of tr(f1), which client#1 holds",
        "",
      ]
    `);
  });

  test('fits on a page', () => {
    expect(lines.length).toBeLessThanOrEqual(LINES_MOST);
    const free = /^ {2}(replay|search) /;
    expect(lines.filter((line) => line.length > 80 && !free.test(line))).toEqual([]);
  });
});
