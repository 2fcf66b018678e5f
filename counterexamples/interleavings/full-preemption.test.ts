import { describe, expect, test } from 'vitest';
import { playRuns } from '../../checker/interleavings/play.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import type { PlayedHere } from './full-preemption.ts';
import { divergesThere, needsFullPreemption } from './full-preemption.ts';
import { spaceFor } from './space-for.ts';
import { parseTaskTrace } from './task-trace.ts';

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/task/`));
const NEED_IT = SAVED.filter(({ text }) => text.includes('needs preempt=full'));

function playedOf(text: string): PlayedHere {
  const { schedule, planted } = parseTaskTrace(text);
  const bug = TASK_PLANTED.find(({ name }) => name === planted);
  const space = spaceFor(schedule.scenario, bug, schedule.grain);
  if (typeof space === 'string') throw new Error(space);
  return { schedule, space, played: playRuns(space, schedule.runs).played };
}

describe('a schedule needs full preemption', () => {
  test.each(NEED_IT)('if a kernel without it diverges: $path', ({ text }) => {
    const here = playedOf(text);
    expect(divergesThere(here)).toBe(true);
    expect(needsFullPreemption(here)).toBe(true);
  });

  test.each(someOf(SAVED, 12))('only then: $path', ({ text }) => {
    const here = playedOf(text);
    expect(needsFullPreemption(here)).toBe(divergesThere(here));
  });
});
