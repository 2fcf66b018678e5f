import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckOutcome, CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';

/** The end of a run, as far as its document has to agree with it. */
export interface RunEnd {
  readonly verdict: Answer['verdict'] | undefined;
  readonly exit: number;
  readonly signal: string | undefined;
}

const RULE = {
  name: 'attachcheck/run',
  sentence: 'A run comes to its end and decides what it was started for.',
};

/**
 * The suites of a run, and one more where they do not say what its exit code says: a run that was stopped, or that
 * checked nothing, has a document all the same, and no document passes where the exit code does not.
 */
export function completeSuites(suites: readonly CheckSuite[], end: RunEnd): CheckSuite[] {
  const outcomes = new Set(suites.flatMap(({ checks }) => checks.map(({ outcome }) => outcome)));
  const checks = missingChecks(outcomes, end);
  return checks.length === 0 ? [...suites] : [...suites, { name: 'run', facts: {}, checks }];
}

function missingChecks(outcomes: ReadonlySet<CheckOutcome>, end: RunEnd): RunCheck[] {
  const { exit, signal, verdict } = end;
  const { wrong = [], open = [] } = verdict ?? {};
  const lacks = (outcome: CheckOutcome, ...exits: readonly number[]) =>
    exits.includes(exit) && !outcomes.has(outcome);
  if (lacks('failed', EXIT.BROKEN)) return [runCheck('failed', wrong, 'a law was broken')];
  if (lacks('error', EXIT.USAGE, EXIT.FAILED)) return [runCheck('error', wrong, 'the checker failed')];
  if (signal !== undefined) return [runCheck('skipped', [], `stopped by ${signal}`)];
  if (lacks('skipped', EXIT.INCONCLUSIVE)) return [runCheck('skipped', open, 'inconclusive')];
  return outcomes.size === 0 ? [runCheck('skipped', [], 'nothing was checked')] : [];
}

function runCheck(outcome: CheckOutcome, lines: readonly string[], otherwise: string): RunCheck {
  return { name: 'verdict', rule: RULE, outcome, lines: lines.length === 0 ? [otherwise] : lines };
}

/** The suites of a command that could not start, or failed on its way. */
export function failedSuites(message: string): CheckSuite[] {
  return [{ name: 'run', facts: {}, checks: [runCheck('error', [message], message)] }];
}
