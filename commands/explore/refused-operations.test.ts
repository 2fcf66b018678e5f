import { expect, test } from 'vitest';
import type { OperationFate } from '../../checker/interleavings/overlap.ts';
import type { ScenarioResult } from './exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from './exploration.ts';
import { defaultExploration } from './explore-options.ts';
import { refusedLines } from './refused-operations.ts';

const scenarios = scenariosOf({ ...DEFAULT_FAMILY, operations: 3, only: ['attach f1', 'detach f2'] }).slice(
  0,
  1,
);

const REFUSED: OperationFate = { client: 0, nth: 1, answers: ['EBUSY'], takesTime: false, overlaps: false };
const DONE: OperationFate = { client: 1, nth: 0, answers: [0], takesTime: true, overlaps: false };

function linesOf(fates: readonly OperationFate[], end: ScenarioResult['end'] = 'complete'): string[] {
  const none = { states: 1, transitions: 0, depth: 0, bytes: 0, breaches: [], witnesses: [] };
  return refusedLines({ ...defaultExploration(), scenarios }, [{ ...none, end, fates }]);
}

test('operations of built-in scenarios that are refused at once are named with their errno', () => {
  expect(linesOf([REFUSED, { ...DONE, overlaps: true }])).toEqual([
    '  ? refused at once: they overlap with nothing',
    '      attach f1 then detach: EBUSY, in 1 scenario',
  ]);
});

test('a scenario in which nothing overlaps is vacuous', () => {
  expect(linesOf([{ ...REFUSED, nth: 0 }, DONE])).toEqual([
    '  ? refused at once: they overlap with nothing',
    '      attach f1: EBUSY, in 1 scenario',
    '  ? vacuous: no operation overlaps with anything',
    '      attach f1 then detach, detach f2 in 6.12',
  ]);
});

test('before the end of a search nothing is said', () => {
  expect(linesOf([REFUSED, DONE], 'breach')).toEqual([]);
});
