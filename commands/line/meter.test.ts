import { describe, expect, test } from 'vitest';
import type { JobProgress } from '../../counterexamples/answer.ts';
import { Meter } from './meter.ts';

/** The shown lines of the last of some steps, this many milliseconds apart. */
function shown(steps: readonly (readonly [JobProgress, number])[], width = 80): string {
  const meter = new Meter();
  for (const [progress, now] of steps) meter.note(progress, now);
  const [progress, now] = steps.at(-1)!;
  return meter.text(progress, now, width);
}

const sequences = (done: number) => ({ part: 'sequences of 6.12', done, of: 1200, unit: 'sequence' });
const scenarios = (done: number, states: number) => ({
  part: 'interleavings',
  now: 'attach f1, detach f1',
  done,
  of: 69,
  unit: 'scenario',
  inner: { done: states, unit: 'state' },
});

describe('a status line', () => {
  test.each([
    ['at first has no rate', [[sequences(1), 0]], 'sequences of 6.12 · 1 of 1,200'],
    [
      'has a rate, and what is left by it',
      [
        [sequences(0), 0],
        [sequences(300), 10_000],
      ],
      'sequences of 6.12 · 300 of 1,200 · 30 sequences/s · about 30 s left',
    ],
    [
      'has the plural of what is counted',
      [
        [{ part: 'histories of 6.12', done: 0, of: 50, unit: 'history' }, 0],
        [{ part: 'histories of 6.12', done: 20, of: 50, unit: 'history' }, 10_000],
      ],
      'histories of 6.12 · 20 of 50 · 2 histories/s · about 15 s left',
    ],
    [
      'counts by the minute what takes longer than a second',
      [
        [{ part: 'histories of 6.12', done: 0, of: 50, unit: 'history' }, 0],
        [{ part: 'histories of 6.12', done: 2, of: 50, unit: 'history' }, 10_000],
      ],
      'histories of 6.12 · 2 of 50 · 12 histories/min · about 4 min left',
    ],
    [
      'counts what was done before its part was seen neither as fast nor as slow',
      [
        [sequences(1000), 0],
        [sequences(1100), 10_000],
      ],
      'sequences of 6.12 · 1,100 of 1,200 · 10 sequences/s · about 10 s left',
    ],
    [
      'of a scenario has the rate of its states, and estimates by scenarios',
      [
        [scenarios(0, 0), 0],
        [scenarios(23, 460_000), 20_000],
      ],
      'interleavings: attach f1, de… · 23 of 69 scenarios · 23,000 states/s · about 40 s left',
    ],
    [
      'says nothing of the end before a scenario is done',
      [
        [scenarios(0, 0), 0],
        [scenarios(0, 460_000), 20_000],
      ],
      'interleavings: attach f1, detach f1 · 0 of 69 scenarios · 23,000 states/s',
    ],
    [
      'has no estimate where the total is unknown',
      [
        [{ part: 'refine', done: 0, unit: 'operation' }, 0],
        [{ part: 'refine', done: 50_000, unit: 'operation' }, 10_000],
      ],
      'refine · 50,000 operations · 5,000 operations/s',
    ],
    [
      'begins again with each part',
      [
        [sequences(1200), 0],
        [scenarios(0, 0), 60_000],
        [scenarios(1, 5000), 61_000],
      ],
      'interleavings: attach f1, detach f1 · 1 of 69 scenarios',
    ],
  ] as const)('%s', (_, steps, text) => {
    expect(shown(steps, 86)).toBe(text);
  });

  test.each([79, 60, 40, 20])('fits into %d columns', (width) => {
    const steps = [
      [scenarios(0, 0), 0],
      [scenarios(23, 460_000), 20_000],
    ] as const;
    expect(shown(steps, width).length).toBeLessThanOrEqual(width);
  });
});
