import { describe, expect, test } from 'vitest';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { withWholeCommands } from '../../test/console.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { replayText } from '../replay/replay.ts';
import { exploreJob } from './explore-job.ts';
import type { ExploreLine } from './explore-options.ts';
import { randomSearchFor } from './explore-options.ts';
import { startDrawing } from './random.ts';

const LINE: ExploreLine = {
  kernel: '6.12',
  cpus: '1',
  tasks: '3',
  operations: '2',
  workers: '1',
  random: '6',
  schedules: '5',
  seed: '1',
};

/** Drives a job to its end; it is interrupted after some lines of progress. */
function drive(job: Job, lines = Number.POSITIVE_INFINITY): Answer {
  for (let told = 0; ; told++) {
    const step = job.next(told > lines);
    if (step.done === true) return step.value;
  }
}

function drawn(line: Partial<ExploreLine>, lines?: number): Answer {
  return drive(startDrawing(randomSearchFor({ ...LINE, ...line })), lines);
}

const LAW = { law: 'ftrace/record-counts-match-ops' };

describe('a search by random schedules', () => {
  test('says what it has drawn, and no more', () => {
    const { text, verbose = '', exit } = drawn(LAW);
    expect(exit).toBe(EXIT.HELD);
    expect(text).toMatch(/^✓ schedules +6 scenarios drawn, 30 schedules, 1 law +6\.12$/);
    expect(verbose).toContain('  ✓ ftrace/record-counts-match-ops\n');
    expect(verbose.replace(/\s+/g, ' ')).toMatch(
      /6\.12, seed 1: no new breach in 6 of 6 drawn scenarios with \d+ operations and \d+ calls: 30 random schedules, [\d,]+ moves(; \d+ scenarios? left to the search of sequences)?$/,
    );
  });

  test('prints the same bytes for the same seed, others for another', () => {
    const few = { ...LAW, random: '3' };
    const once = drawn(few);
    expect(drawn(few)).toEqual(once);
    expect(drawn({ ...few, seed: '2' }).verbose).not.toBe(once.verbose);
  });

  test('finds a planted bug, shrinks it, and saves what shows it again', () => {
    const { text, exit, save, json } = drawn({
      planted: 'no-sync-after-heads',
      random: '2',
      schedules: '10',
      seed: '3',
    });
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/^✗ task\/no-unhandled-breakpoint/);
    expect(text).toMatch(/client#1: +task#1 on cpu 0:/);
    expect(text).toContain('minimal    proved: no breach in fewer steps within the bound');
    expect(withWholeCommands(text)).toMatch(
      /search {5}npm run check -- explore --random \d+ --schedules 10 --seed 3 --planted no-sync-after-heads/,
    );
    expect(save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
    expect(json).toMatchObject({ command: 'random', planted: 'no-sync-after-heads' });
  });

  test('that finds no planted bug is inconclusive', () => {
    const { text, exit } = drawn({ planted: 'batch-is-not-sorted', random: '1', schedules: '1' });
    expect(text).toContain('? planted bug      batch-is-not-sorted was not found');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('that is interrupted says what it has covered', () => {
    const { text, verbose, exit } = drawn(LAW, 1);
    expect(text).toMatch(/^\? stopped +[23] of 6 scenarios were searched, [34] were not$/m);
    expect(verbose).not.toContain('✓');
    expect(verbose).toMatch(/no new breach in [23] of 6 drawn\s+scenarios/);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('ends when its time is over', () => {
    const [drawn, counted] = THOROUGH ? ['1000', '1,000'] : ['100', '100'];
    const search = randomSearchFor({ ...LINE, ...LAW, random: drawn });
    expect(drive(startDrawing(search, 0)).text).toContain(`1 of ${counted} scenarios was searched`);
  });

  test.each([
    [
      '6.12',
      [
        {
          law: 'task/hash-updates-do-not-wait-for-rcu-tasks',
          why: 'the kernel makes no direct calls by a table of sites',
        },
        { law: 'ftrace/multi-link-bookkeeping-is-consistent', why: 'the kernel has no multi links' },
      ],
    ],
    ['7.2', []],
  ])('says which laws %s cannot exercise', (kernel, unasked) => {
    const { law: _, ...all } = { ...LINE, kernel, random: '1', schedules: '1' };
    const answer = drive(startDrawing(randomSearchFor(all)));
    expect(answer.json).toMatchObject({ unasked });
    const lines = unasked.map(({ law, why }) => `    ${law.padEnd(48)}not checked\n      ${why}\n`);
    for (const text of lines) expect(answer.verbose).toContain(text);
  });

  test('takes no options that choose among scenarios, or share work', () => {
    for (const line of [{ only: 'attach f1' }, { workers: '2' }, { checkpoint: 'x' }, { resume: 'x' }])
      expect(() => randomSearchFor({ ...LINE, ...line })).toThrow('--random draws its scenarios');
    expect(() => randomSearchFor({ ...LINE, random: '0' })).toThrow(
      '--random 0 is not a whole number from 1 to 1000000',
    );
    const { random: _, ...exhaustive } = LINE;
    expect(() => exploreJob(exhaustive)).toThrow('--schedules is for --random');
  });
});
