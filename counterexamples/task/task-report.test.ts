import { beforeAll, describe, expect, test } from 'vitest';
import type { Part } from '../../model/core/part.ts';
import { concretePath } from '../../properties/explore/concrete.ts';
import { pairs, withSleepers } from '../../properties/explore/family.ts';
import { runsOf } from '../../properties/explore/schedule.ts';
import { explore } from '../../properties/explore/search.ts';
import { Space } from '../../properties/explore/space.ts';
import { edit } from '../../properties/planted/attach-edits.ts';
import type { TaskPlanted } from '../../properties/planted/task-planted.ts';
import type { TaskLaw } from '../../properties/task/task-law.ts';
import { LINES_MOST } from '../attach/attach-report.ts';
import { describeTask, taskProgram } from './task-describe.ts';
import { BREADTH_FIRST } from './task-report.ts';

const LAW: TaskLaw = {
  name: 'task/everybody-finishes',
  sentence: 'Everybody comes to an end.',
  source: 'kernel/locking/mutex.c',
  witness: 'nobody could go on',
  judge: ({ happening }) =>
    happening.is === 'stuck' && happening.waits.length > 1
      ? { expected: 'all finish', observed: happening.waits.join('; ') }
      : 'no say',
};

const PROFILE = withSleepers('6.12');
const { scenario } = pairs(PROFILE, 1, 0).find(({ name }) => name === 'detach f1, detach f1')!;

const PLANTED: TaskPlanted = {
  name: 'mutex-is-taken-twice',
  sentence: 'Whoever puts a trampoline takes the mutex that it holds already.',
  law: LAW,
  profile: PROFILE,
  edits: [
    edit('bpf_trampoline_put', 'drop a reference', (part) => [
      {
        kind: 'hold',
        label: 'lock trampoline_mutex again',
        lock: 'trampoline_mutex',
        parts: [{ ...part, label: 'planted' } as Part],
      },
    ]),
  ],
  scenario,
  history: undefined,
  finding: '',
  moves: 0,
};

describe('the report of those who wait for each other', () => {
  let lines: string[];
  beforeAll(() => {
    const space = new Space(scenario, { program: taskProgram(PLANTED) });
    const [found] = explore(space, { laws: [LAW] }).breaches;
    const schedule = { scenario, runs: runsOf(concretePath(space, found!.path)) };
    const outcome = describeTask(schedule, LAW, { planted: PLANTED, known: undefined, found: BREADTH_FIRST });
    if (outcome.is !== 'broken') throw new Error(`it is not stuck again: ${outcome.is}`);
    lines = outcome.counterexample.trace.report.split('\n');
  });

  test('has a line for each of them', () => {
    const at = lines.findIndex((line) => line.startsWith('  observed   '));
    expect(lines.slice(at, at + 3)).toMatchInlineSnapshot(`
      [
        "  observed   client#1 waits for trampoline_mutex, which client#1 holds",
        "             client#2 waits for trampoline_mutex, which client#1 holds",
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
