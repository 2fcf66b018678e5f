import { describe, expect, test } from 'vitest';
import { playRuns } from '../../checker/interleavings/play.ts';
import { last } from '../../model/core/present.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { breachAtEnd } from './breach-at-end.ts';
import type { BrokenSchedule } from './deciding-moves.ts';
import { decidingMoves, runsIn } from './deciding-moves.ts';
import { moveWords } from './move-text.ts';
import { spaceFor } from './space-for.ts';
import { parseTaskTrace } from './task-trace.ts';

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/task/`));

function broken(text: string): BrokenSchedule & { readonly report: string } {
  const { schedule, planted, law, report } = parseTaskTrace(text);
  const bug = TASK_PLANTED.find(({ name }) => name === planted);
  const space = spaceFor(schedule.scenario, bug, schedule.grain);
  if (typeof space === 'string') throw new Error(space);
  const { played } = playRuns(space, schedule.runs);
  const breach = breachAtEnd(space, ALL_TASK_LAWS.find(({ name }) => name === law)!, played)!;
  return { space, played, breach, report };
}

function decidingIn(name: string): string[] {
  const schedule = broken(SAVED.find(({ path }) => path.endsWith(`.${name}.trace`))!.text);
  return [...decidingMoves(schedule)].map((move) => `${move.turn.actor}: ${moveWords(schedule.space, move)}`);
}

describe('a move decides', () => {
  test('that a text poke has to make before a task fetches a torn instruction', () => {
    expect(decidingIn('no-sync-after-int3')).toEqual([
      'client#1: text_poke_bp_batch: write tails',
      'task#1: f1+0x4: fetches torn 0f f7 ff 11 3f',
    ]);
  });

  test('that precedes the end of a run, where the rest of the run makes no difference', () => {
    expect(decidingIn('skipped-program-stays-active')).toContain(
      'client#1: bpf_tramp_image_put: wait for its users in the background',
    );
  });

  test('by what its actor has to do first, whatever was worked out of orders that were tried before', () => {
    expect(decidingIn('trampoline-is-put-without-the-lock')).toContain(
      'client#1: bpf_trampoline_put: drop a reference',
    );
  });
});

const squeezed = (text: string) => text.replaceAll(/\s/g, '');

describe.each(someOf(SAVED, 12))('$path', ({ text }) => {
  const schedule = broken(text);
  const { played, space } = schedule;
  const deciding = decidingMoves(schedule);

  test('has at most one deciding move in a run, and its breach is one', () => {
    const counts = runsIn(played).map(
      ({ from, to }) => played.slice(from, to).filter((move) => deciding.has(move)).length,
    );
    expect(Math.max(...counts)).toBe(1);
    expect(deciding.has(last(played))).toBe(true);
  });

  test('draws each of them, in order', () => {
    const drawn = squeezed(schedule.report);
    let from = 0;
    for (const move of played.filter((each) => deciding.has(each))) {
      const words = squeezed(moveWords(space, move));
      const index = drawn.indexOf(words, from);
      expect([moveWords(space, move), index >= 0]).toEqual([moveWords(space, move), true]);
      from = index + words.length;
    }
  });
});
