import { expect, test } from 'vitest';
import type { Recorded } from './history.ts';
import { lastOf, lossOf, recordedRows } from './history.ts';
import type { BenchRow } from './row.ts';
import { rowOf } from './row.ts';
import { jsonOf, tableOf } from './table.ts';

const RATE = { name: 'states', unit: 'per second', judged: 'ratio', floor: 1, aim: 3 } as const;
const BYTES = { name: 'bytes a state', unit: 'bytes', judged: 'ours', floor: 30, aim: 12 } as const;
const TIME = { name: 'compare', unit: 'seconds', judged: 'ours', floor: 30, aim: 10 } as const;

const ROWS: readonly BenchRow[] = [
  rowOf(RATE, [300_000, 330_000, 360_000], [300_000, 300_000, 300_000]),
  rowOf(BYTES, [27], [56]),
  rowOf(TIME, [34.25], []),
];

function recorded(cpu: string, figures: Readonly<Record<string, number>>): Recorded {
  const rows = Object.entries(figures).map(([name, figure]) => ({ name, figure }));
  return { commit: 'abc', date: '2026-11-28', node: 'v20.20.2', cpu, rows };
}

test('a ratio is the median of those of the rounds', () => {
  expect(rowOf(RATE, [1, 5, 9], [1, 1, 3])).toMatchObject({ ours: 5, peer: 1, ratio: 3 });
  expect(rowOf(RATE, [1, 5, 9], [])).toMatchObject({ ours: 5, peer: undefined, ratio: undefined });
});

test('the table has the last figure beside each, and marks what is lost', () => {
  const history = [recorded('A', { states: 1.05, 'bytes a state': 27, compare: 20 })];
  expect(tableOf(ROWS, { history, cpu: 'A' })).toBe(
    [
      '                    ours       peer  ratio    last   floor     aim',
      'states         330.0 k/s  300.0 k/s  1.10x   1.05x   1.00x   3.00x',
      'bytes a state       27 B       56 B  0.48x    27 B    30 B    12 B',
      'compare           34.3 s          –      –  20.0 s  30.0 s  10.0 s  71 % lost',
    ].join('\n'),
  );
  expect(tableOf(ROWS, { history: [], cpu: 'A' })).toContain('misses the floor');
});

test('a figure alone is compared with that of the same CPU, a ratio with that of any', () => {
  const history = [recorded('A', { states: 2, compare: 10 }), recorded('B', { states: 4, compare: 5 })];
  const [states, , compare] = ROWS as [BenchRow, BenchRow, BenchRow];
  expect(lastOf(history, states, 'A')).toBe(4);
  expect(lastOf(history, compare, 'A')).toBe(10);
  expect(lastOf(history, compare, 'C')).toBeUndefined();
});

test('a loss is more than 15 % of the last figure, whichever way is better', () => {
  const [states, bytes] = ROWS as [BenchRow, BenchRow];
  expect(lossOf(states, 1.2)).toBeUndefined();
  expect(lossOf(states, 2.2)).toBeCloseTo(0.5);
  expect(lossOf(bytes, 20)).toBeCloseTo(0.35);
  expect(lossOf(bytes, 60)).toBeUndefined();
  expect(lossOf(rowOf(RATE, [1], []), 2)).toBeUndefined();
});

test('for a program there is the same, and what is recorded is the figure that has a target', () => {
  expect(jsonOf(ROWS, { history: [], cpu: 'A' })[2]).toEqual({
    name: 'compare',
    unit: 'seconds',
    judged: 'ours',
    ours: 34.25,
    peer: null,
    ratio: null,
    floor: 30,
    aim: 10,
    last: null,
    loss: null,
  });
  expect(recordedRows([...ROWS, rowOf(RATE, [1], [])])).toEqual([
    { name: 'states', figure: 1.1 },
    { name: 'bytes a state', figure: 27 },
    { name: 'compare', figure: 34.25 },
  ]);
});
