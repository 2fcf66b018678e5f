import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckOutcome, CheckSuite } from '../../counterexamples/run-check.ts';
import { completeSuites, failedSuites } from './complete.ts';

const rule = { name: 'a', sentence: 'It holds.' };

function suiteWith(...outcomes: readonly CheckOutcome[]): CheckSuite[] {
  return [
    { name: 's', facts: {}, checks: outcomes.map((outcome, i) => ({ name: String(i), rule, outcome })) },
  ];
}

const VERDICT = {
  breaches: 0,
  wrong: ['2 recordings differ'],
  known: [],
  open: ['1 left'],
  next: { options: {} },
};

/** Added checks: outcome and lines. */
function added(suites: readonly CheckSuite[], exit: number, signal?: string) {
  const all = completeSuites(suites, { exit, signal, verdict: VERDICT });
  return all
    .slice(suites.length)
    .flatMap(({ checks }) => checks.map(({ outcome, lines }) => [outcome, ...lines!]));
}

describe('a document agrees with the exit code', () => {
  test.each<[readonly CheckOutcome[], number]>([
    [['passed', 'known'], EXIT.HELD],
    [['failed'], EXIT.BROKEN],
    [['passed', 'error'], EXIT.FAILED],
    [['skipped'], EXIT.INCONCLUSIVE],
  ])('%j and %i need nothing more', (outcomes, exit) => {
    expect(added(suiteWith(...outcomes), exit)).toEqual([]);
  });

  test.each<[readonly CheckOutcome[], number, CheckOutcome, string]>([
    [['passed'], EXIT.BROKEN, 'failed', '2 recordings differ'],
    [['passed', 'failed'], EXIT.FAILED, 'error', '2 recordings differ'],
    [['passed'], EXIT.USAGE, 'error', '2 recordings differ'],
    [['passed'], EXIT.INCONCLUSIVE, 'skipped', '1 left'],
    [[], EXIT.HELD, 'skipped', 'nothing was checked'],
  ])('%j and %i: %s', (outcomes, exit, outcome, line) => {
    expect(added(suiteWith(...outcomes), exit)).toEqual([[outcome, line]]);
  });

  test('a run that was stopped says so', () => {
    expect(added(suiteWith('passed'), EXIT.INTERRUPTED, 'SIGINT')).toEqual([
      ['skipped', 'stopped by SIGINT'],
    ]);
    expect(added([], EXIT.INTERRUPTED, 'SIGINT')).toEqual([['skipped', 'stopped by SIGINT']]);
  });

  test('one that could not start is an error', () => {
    expect(failedSuites('there is no such file')).toMatchObject([
      { name: 'run', checks: [{ outcome: 'error', lines: ['there is no such file'] }] },
    ]);
  });
});
