import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replayText } from '../../commands/replay/replay.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { someOf } from '../../test/thorough.ts';
import { KNOWN_TASK } from '../known/task-breaches.ts';
import { HYPOTHESES } from './all.ts';
import { decide, printPage } from './page.ts';

const UPDATES = process.env['UPDATE'] === '1';
const PAGE = join(import.meta.dirname, '../../counterexamples/hypotheses.md');

function readTrace(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../counterexamples/corpus', path), 'utf8');
}

/** The hypotheses that the test decides again: all of them to write the page. */
const DECIDED = UPDATES ? HYPOTHESES : someOf(HYPOTHESES, 6);

test('the page matches the current results', () => {
  const text = printPage(DECIDED, KNOWN_TASK, readTrace);
  if (UPDATES) writeFileSync(PAGE, text);
  const page = readFileSync(PAGE, 'utf8');
  if (DECIDED.length === HYPOTHESES.length) expect(text).toBe(page);
  else expect(page.split('\n')).toEqual(expect.arrayContaining(text.split('\n')));
});

test('every hypothesis has a row', () => {
  const numbers = (letter: string, last: number) =>
    Array.from({ length: last }, (_, i) => `${letter}${i + 1}`);
  expect(HYPOTHESES.map(({ id }) => id)).toEqual([...numbers('F', 14), ...numbers('T', 6)]);
});

describe.each(DECIDED.map((hypothesis) => [hypothesis.id, hypothesis] as const))('%s', (_, hypothesis) => {
  const { confirmed, refuted, open = [], traces = [], explored = [], played = [], recorded } = hypothesis;

  test('is stated once per kernel, with evidence where it is decided', () => {
    const said = [...confirmed, ...refuted, ...open];
    expect(new Set(said).size).toBe(said.length);
    expect(said.length).toBeGreaterThan(0);
    expect(KERNELS).toEqual(expect.arrayContaining(said));
    const shown = traces.length + explored.length + played.length;
    if (confirmed.length > 0) expect(shown).toBeGreaterThan(0);
    if (refuted.length > 0) expect(shown + (recorded === undefined ? 0 : 1)).toBeGreaterThan(0);
  });

  test.each(traces)('%s still breaks its law', (path) => {
    expect(replayText(readTrace(`${path}.trace`)).kind).toBe('same');
  });

  test.each(explored.map((scenario) => [scenario.kernels.join(', '), scenario] as const))(
    'is explored to the end in %s',
    (_kernels, scenario) => {
      const outcomes = decide(scenario);
      expect(outcomes.filter(({ complete }) => !complete)).toEqual([]);
      expect(outcomes.flatMap(({ kernel, broken }) => (broken === undefined ? [] : [kernel]))).toEqual(
        scenario.brokenIn,
      );
    },
  );
});
