import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UNPLANNED_FAULTS } from '../../commands/bugs/unplanned.ts';
import { printUnplanned, unplannedRows } from '../../commands/bugs/unplanned-board.ts';
import { UNPLANNED_MEASURED } from '../../commands/bugs/unplanned-measured.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../console.ts';
import { TOP } from '../sources.ts';
import { faultySource, judged } from './judge.ts';

const PAGE = join(TOP, 'docs/faults.md');
const ROWS = unplannedRows();

test.each(UNPLANNED_FAULTS.map((fault) => [fault.name, fault] as const))(
  '%s changes its file',
  (_, fault) => {
    expect(faultySource(fault)).toContain(fault.to);
  },
);

test('every fault is found, or has the reason why it is not', () => {
  const open = ROWS.filter(({ fault, figures }) => (figures === undefined) !== (fault.missed !== undefined));
  expect(open.map(({ fault }) => fault.name)).toEqual([]);
});

test('the page is the table', () => {
  const page = printUnplanned(ROWS);
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('bugs --unplanned prints the score', async () => {
  const { exit, stdout } = await attachcheck(['bugs', '--unplanned']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`of ${UNPLANNED_FAULTS.length} faults by laws alone`);
  expect(exit).toBe(EXIT.HELD);
});

test('a fault that is found soon is judged again, with the same figures', async () => {
  const fault = UNPLANNED_FAULTS.find(({ name }) => name === 'failed-program-stays-in-the-list')!;
  expect(await judged(fault)).toEqual(UNPLANNED_MEASURED[fault.name]);
});
