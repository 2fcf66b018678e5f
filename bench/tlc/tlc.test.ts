import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { searchPokes } from '../poke-search.ts';
import { findTlc, readTlcReport } from './tlc.ts';

const REPORT = `Model checking completed. No error has been found.
4216 states generated, 1083 distinct states found, 0 states left on queue.
Finished in 01s at (2026-11-28 19:40:00)
`;

test('the counts of TLC are those of a search of ours, without its first state', () => {
  const { states, transitions } = searchPokes({ readers: 2, sites: 2 });
  expect(readTlcReport(REPORT)).toEqual({ states, transitions });
});

test.each([
  REPORT.replace('0 states left', '7 states left'),
  REPORT.replace('No error has been found', 'Error: an unhandled int3'),
])('a search that did not come to its end is refused', (report) => {
  expect(() => readTlcReport(report)).toThrow('TLC did not come to the end');
});

test('without the jar the peer is missing, by name', () => {
  expect(findTlc({ readers: 2, sites: 2 }, '')).toEqual({
    missing: 'TLC is not there: --tlc tla2tools.jar',
  });
});

test('the batch of the model in TLA+ has the steps of that in Promela', () => {
  const tla = readFileSync(join(import.meta.dirname, 'TextPoke.tla'), 'utf8');
  const promela = readFileSync(join(import.meta.dirname, '../spin/text-poke.pml'), 'utf8');
  const steps = /inline poke\(to\) \{\n(.*?)\n\}/s.exec(promela)![1]!.split('\n').length;
  const last = Math.max(...[...tla.matchAll(/step = (\d+)/g)].map((match) => Number(match[1])));
  expect(last + 1).toBe(steps);
});
