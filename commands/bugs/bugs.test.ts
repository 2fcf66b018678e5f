import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { TOP } from '../../test/sources.ts';
import { boardRows, totalsOf } from './board.ts';
import { MEASURED } from './measured.ts';
import { printBoard } from './page.ts';

const PAGE = join(TOP, 'docs/bugs.md');
const ROWS = boardRows();

test('every planted bug of the board has figures, and no other', () => {
  const planted = ROWS.filter((row) => row.planted.length > 0).map(({ bug }) => bug.name);
  expect(Object.keys(MEASURED)).toEqual(planted);
});

test('the page is the board', () => {
  const page = printBoard(ROWS);
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('every planted bug is found by exhaustive search, and by random search with most seeds', () => {
  const { planted, random, exhaustive, searched } = totalsOf(ROWS);
  expect([random, exhaustive, searched]).toEqual([planted, planted, planted]);
});

/** A bug of each search, found soon. */
const SAMPLE = ['modify-locks-direct-mutex-twice', 'return-thunk', 'pool-has-no-nodes'];

test.each(SAMPLE)('%s is measured again with the same figures', async (name) => {
  const { exit, stdout } = await attachcheck(['bugs', name, '--json']);
  const [{ random, exhaustive, shortest }] = JSON.parse(stdout).bugs;
  expect({ random, exhaustive, shortest }).toEqual(MEASURED[name]);
  expect(exit).toBe(EXIT.HELD);
});

test('of a bug that is not planted the reason is printed, and the answer is inconclusive', async () => {
  const { exit, stdout } = await attachcheck(['bugs', 'variadic-target']);
  expect(stdout).toContain('note       Not modelled: functions with variable arguments.');
  expect(exit).toBe(EXIT.INCONCLUSIVE);
});

test('an unknown bug is refused with the nearest name', async () => {
  const { exit, stderr } = await attachcheck(['bugs', 'variadic-targe']);
  expect(stderr).toContain('there is no historical bug variadic-targe; did you mean variadic-target?');
  expect(exit).toBe(EXIT.USAGE);
});
