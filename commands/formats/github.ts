import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import type { CheckedRun } from './checked-run.ts';
import { allChecks, messageOfCheck, outcomes, printable } from './checked-run.ts';

/**
 * Workflow commands of GitHub Actions: an annotation for each failure, one for each suite of what was not decided,
 * and a line for the log.
 */
export function githubText(run: CheckedRun): string {
  const all = allChecks(run);
  const failures = all.filter(({ check }) => check.outcome === 'failed' || check.outcome === 'error');
  const checks = all.map(({ check }) => check);
  const counts = (['passed', 'failed', 'error', 'known', 'skipped'] as const)
    .map((outcome) => ({ outcome, number: outcomes(checks, outcome) }))
    .filter(({ number }) => number > 0)
    .map(({ outcome, number }) => `${number} ${outcome}`);
  return [
    ...failures.map(({ suite, check }) => errorLine(suite, check)),
    ...run.suites.flatMap(noticeLines),
    `attachcheck: ${counts.length === 0 ? 'nothing was checked' : counts.join(', ')}`,
    '',
  ].join('\n');
}

function errorLine(suite: string, check: RunCheck): string {
  const { name, rule, place, lines = [] } = check;
  return workflowCommand(
    'error',
    {
      ...(place === undefined ? {} : { file: place.file }),
      ...(place?.line === undefined ? {} : { line: String(place.line) }),
      title: `${suite}: ${name}`,
    },
    [`${rule.name}: ${rule.sentence}`, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n'),
  );
}

/** A run shows ten annotations of a kind: what a suite leaves out is one. */
function noticeLines({ name, checks }: CheckSuite): string[] {
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return [];
  const lines = skipped.map((check) => `${check.name}: ${messageOfCheck(check)}`);
  return [workflowCommand('notice', { title: `${name}: not covered` }, lines.join('\n'))];
}

function workflowCommand(
  kind: 'error' | 'notice',
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const all = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(value)}`);
  return `::${kind} ${all.join(',')}::${escapedData(message)}`;
}

/** As the runner reads them back: `%` first. */
function escapedData(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
