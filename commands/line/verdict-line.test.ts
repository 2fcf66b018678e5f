import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunVerdict, Saved } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { verdictLines } from './verdict-line.ts';

const AGAIN: RunVerdict = {
  breaches: 0,
  wrong: [],
  known: [],
  open: [],
  seed: 1,
  next: { options: { '--seed': '2' } },
};

function lines(
  verdict: Partial<RunVerdict>,
  files: readonly string[] = [],
  signal?: NodeJS.Signals,
): string[] {
  const save: Saved[] = files.map((path) => ({ path, text: '' }));
  const answer = { text: '', json: {}, exit: EXIT.HELD, save, verdict: { ...AGAIN, ...verdict } };
  const told = { argv: ['--sequences', '9', '--seed', '1'], fileOf: ({ path }: Saved) => path };
  return verdictLines({ answer, exit: EXIT.HELD, signal }, told);
}

const NEXT = '  next             npm run check -- --sequences 9 --seed 2';

describe('a run that', () => {
  test.each([
    ['held', lines({}), ['✓ held within this bound · seed 1', NEXT]],
    ['met known breaches', lines({ known: ['a'] }), ['✓ no new breach within this bound · seed 1', NEXT]],
    ['left something open', lines({ open: ['2 laws'] }), ['? inconclusive: 2 laws · seed 1', NEXT]],
    [
      'was stopped',
      lines({ open: ['2 laws'] }, [], 'SIGINT'),
      ['? inconclusive: stopped by SIGINT · seed 1', NEXT],
    ],
    [
      'found a breach',
      lines({ breaches: 1 }, ['out/a.trace']),
      [
        '✗ 1 new breach · seed 1',
        '  saved            out/a.trace',
        '  next             npm run check -- replay out/a.trace',
      ],
    ],
    [
      'found several',
      lines({ breaches: 2, wrong: ['3 recordings not as in the model'] }, ['out/a.trace', 'out/b/c.trace']),
      [
        '✗ 2 new breaches, 3 recordings not as in the model · seed 1',
        '  saved            out',
        '  next             npm run check -- replay out/a.trace',
      ],
    ],
    [
      'found a breach that is in no file',
      lines({ breaches: 1 }),
      [
        '✗ 1 new breach · seed 1',
        '  next             npm run check -- --sequences 9 --seed 1 \\',
        `    --save ${join(tmpdir(), 'attachcheck-results')}`,
      ],
    ],
  ])('%s says so, and how to continue', (_, said, expected) => {
    expect(said).toEqual(expected);
  });
});
