import { describe, expect, test } from 'vitest';
import type { NearestAnswer } from '../../../checker/interleavings/nearest-breach.ts';
import { askLaw } from '../../../checker/interleavings/nearest-breach.ts';
import { someOf } from '../../../test/thorough.ts';
import { imageReferencesAreReturned } from '../../task/image-references-are-returned.ts';
import { TASK_LAWS } from '../../task-laws.ts';
import { load } from '../sequences/actions.ts';
import { TASK_PLANTED } from './all.ts';
import type { TaskPlanted } from './planted.ts';
import { open, scenario } from './scenarios.ts';

function ask({ law, scenario, grain }: TaskPlanted, profile: string, edits: TaskPlanted['edits']) {
  return askLaw(law, { profile, ...scenario }, edits, grain);
}

const SOUND = new Map<TaskPlanted, NearestAnswer>();

/** What the law finds in the sound kernel; searched once. */
function askSound(planted: TaskPlanted): NearestAnswer {
  const answer = SOUND.get(planted) ?? ask(planted, planted.sound ?? planted.profile, []);
  SOUND.set(planted, answer);
  return answer;
}

/* The test of the saved counterexamples checks that each law finds its bug after the stated number of moves. */

test('planted bugs of interleavings have unique names', () => {
  expect(new Set(TASK_PLANTED.map(({ name }) => name)).size).toBe(TASK_PLANTED.length);
});

test('every law on interleavings has a planted bug, except those shared with sequences', () => {
  const caught = new Set(TASK_PLANTED.map(({ law }) => law.name));
  const own = TASK_LAWS.filter(({ name }) => name.startsWith('task/'));
  expect(own.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
});

test('every law on interleavings is exercised somewhere in a sound kernel', () => {
  const quiet = TASK_LAWS.filter(({ name }) => name.startsWith('task/')).filter((law) => {
    const scenarios = TASK_PLANTED.filter((planted) => planted.law === law);
    return !scenarios.some((planted) => askSound(planted).witness > 0);
  });
  // The sound kernel refuses what shows this one.
  expect(quiet).toEqual([imageReferencesAreReturned]);
  const exitProgram = scenario({ setup: [load(1, 'fexit'), open(1)] });
  expect(askLaw(imageReferencesAreReturned, { profile: '6.12', ...exitProgram }, [])).toMatchObject({
    finding: undefined,
    witness: 1,
  });
});

test('a planted bug is in its own kernel, or in one with an overridden behaviour', () => {
  const empty = TASK_PLANTED.filter(({ edits, profile, sound }) => edits.length === 0 && sound === profile);
  expect(empty.map(({ name }) => name)).toEqual([]);
  expect(TASK_PLANTED.length).toBeGreaterThan(40);
});

describe.each(someOf(TASK_PLANTED, 9).map((planted) => [planted.name, planted] as const))(
  '%s',
  (_, planted) => {
    test('is the only breach of its scenario', () => {
      const { finding, complete, states } = askSound(planted);
      expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
      expect(states).toBeGreaterThan(3);
    });
  },
);
