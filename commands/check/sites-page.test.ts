import { expect, test } from 'vitest';
import { toEnd } from '../../model/core/to-end.ts';
import { readPage } from '../../test/parsed-page.ts';
import { searchesFor } from '../line/options.ts';
import { sequenceJob } from './attach-job.ts';
import { searchOrCheck } from './default-run.ts';

const LINE = { seed: '1', cases: '0', sequences: '3', sites: true, html: 'page.html' };

test('the page of return sites has every row of the table: the counts, and the reason where a site was never taken', () => {
  const answer = toEnd(sequenceJob(searchesFor(LINE).sequences!));
  const lines = answer.text.split('\n');
  const from = lines.findIndex((line) => line.endsWith('return site: how often it refused'));
  const { rows } = readPage(answer);
  const all = rows.slice(rows.findLastIndex(([first]) => first === 'errno') + 1);
  let routine = '';
  const told = all.flatMap(([errno = '', ...cells]) => {
    if (cells.length === 0) {
      routine = errno;
      return [];
    }
    const counts = cells.slice(0, 3).map((cell) => cell.replace(',', '').padStart(8));
    const [condition, why] = cells.slice(3);
    return [
      `${counts.join('')}  ${routine}: ${errno}  ${condition}`,
      ...(why === '' ? [] : [`${' '.repeat(28)}${why}`]),
    ];
  });
  expect(told.length).toBeGreaterThan(200);
  const printed = lines.slice(from + 1, from + 1 + told.length);
  expect(told.toSorted()).toEqual(printed.toSorted());
  expect(lines[from + 1 + told.length] ?? '').not.toMatch(/^ +\d+ +\d+ +\d+ {2}/);
});

test.each([
  [{ sites: false }, '--html is for the table of return sites: --sites --html FILE'],
  [{ law: 'trampoline/stack-is-aligned' }, '--sites is for sequences, and this searches images alone'],
  [{ html: 'no-folder/page.html' }, '--html no-folder/page.html: there is no no-folder'],
])('a page that cannot be is refused: %o', (line, why) => {
  expect(() => searchOrCheck({ ...LINE, ...line })).toThrow(why);
});
