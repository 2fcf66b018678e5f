import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOP } from '../sources.ts';
import { EXPLAINED } from './explained.ts';
import { printMutants } from './page.ts';
import type { MeasuredMutants } from './table.ts';

const PAGE = join(TOP, 'docs/mutants.md');
const MEASURED: MeasuredMutants = JSON.parse(
  readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8'),
);

test('the page is the figures', () => {
  const page = printMutants(MEASURED, EXPLAINED);
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('every reason is of a mutant that survived', () => {
  const left = new Set(MEASURED.left.map(({ name }) => name));
  expect(Object.keys(EXPLAINED).filter((name) => !left.has(name))).toEqual([]);
});
