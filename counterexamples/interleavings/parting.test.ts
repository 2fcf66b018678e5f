import { describe, expect, test } from 'vitest';
import { playRuns } from '../../checker/interleavings/play.ts';
import { whyText } from '../../properties/finding/why-words.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { sources } from '../../test/sources.ts';
import { CORPUS } from '../corpus-folder.ts';
import { parseElsewhere, printElsewhere } from './elsewhere.ts';
import { partingOf } from './parting.ts';
import { spaceFor } from './space-for.ts';
import { parseTaskTrace } from './task-trace.ts';

/** Where the kernel without a planted bug first differs, given the saved schedule. */
function partingFor(name: string) {
  const planted = TASK_PLANTED.find((bug) => bug.name === name)!;
  const file = sources('.trace').find(({ path }) => path.endsWith(`.${name}.trace`))!;
  const { scenario, runs, grain } = parseTaskTrace(file.text).schedule;
  const [space, there] = [planted, undefined].map((bug) => spaceFor(scenario, bug, grain));
  if (typeof space !== 'object' || typeof there !== 'object') throw new Error('it cannot be set up');
  return partingOf({ space, played: playRuns(space, runs).played }, there);
}

describe('the kernel without the planted bug', () => {
  test('does the step that the bug leaves out', () => {
    const routine = 'text_poke_bp_batch';
    expect(partingFor('no-sync-after-int3')).toEqual({
      step: 8,
      actor: 'client#1',
      here: { is: 'part', routine, part: 'write tails', refused: null },
      there: { is: 'part', routine, part: 'sync after int3', refused: null },
    });
  });

  test('waits for the task that the bug overlooks', () => {
    expect(partingFor('old-probes-are-freed-at-once')?.there).toEqual({
      is: 'grace period',
      flavour: 'rcu',
      tasks: ['task#1'],
    });
  });

  test('runs on where a deadlock stops the one with it', () => {
    expect(partingFor('modify-takes-direct-mutex-again')).toMatchObject({
      actor: 'client#1',
      here: { is: 'lock', lock: 'direct_mutex', holder: 'client#1' },
      there: { is: 'part' },
    });
  });
});

test('kernels of which the same is known share a clause', () => {
  const others = parseElsewhere('6.1 breaks, 7.2 breaks');
  expect(whyText({ is: 'elsewhere', others, parting: undefined })).toBe('6.1 and 7.2 break the law as well.');
  expect(printElsewhere(others)).toBe('6.1 breaks, 7.2 breaks');
  expect(() => parseElsewhere('6.1 maybe')).toThrow('others 6.1 maybe is not known');
});

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/task/`));

test('every saved interleaving says why', () => {
  expect(SAVED.filter(({ text }) => !text.includes('\n  why        ')).map(({ path }) => path)).toEqual([]);
});
