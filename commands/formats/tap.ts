import type { RunCheck } from '../../counterexamples/run-check.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { CheckedRun } from './checked-run.ts';
import { allChecks, messageOfCheck, printable } from './checked-run.ts';

/** The Test Anything Protocol, version 14: a listed breach is a failure that is marked as expected. */
export function tapText(run: CheckedRun): string {
  const all = allChecks(run);
  const plan = all.length === 0 ? '1..0 # SKIP nothing was checked' : `1..${all.length}`;
  return [
    'TAP version 14',
    plan,
    ...run.suites.map(({ name, facts }) => `# ${oneLine(name)}: ${factsText(facts)}`),
    ...all.flatMap(({ suite, check }, i) => checkLines(i + 1, suite, check)),
    '',
  ].join('\n');
}

function factsText(facts: Readonly<Record<string, string>>): string {
  return oneLine(
    Object.entries(facts)
      .map(([key, value]) => `${key} ${value}`)
      .join('; '),
  );
}

function checkLines(number: number, suite: string, check: RunCheck): string[] {
  const { outcome } = check;
  const name = escapedTap(`${suite}: ${check.name}`);
  const why = oneLine(messageOfCheck(check));
  switch (outcome) {
    case 'passed':
      return [`ok ${number} - ${name}`];
    case 'skipped':
      return [`ok ${number} - ${name} # SKIP ${why}`];
    case 'known':
      return [`not ok ${number} - ${name} # ${EXPECTED} ${why}`];
    case 'failed':
    case 'error':
      return [`not ok ${number} - ${name}`, ...diagnosticLines(check)];
    default:
      return unreachable(outcome);
  }
}

/** The directive of a test that is known to fail. */
const EXPECTED = ['TO', 'DO'].join('');

/** A block of YAML, whose strings are spelled as in JSON: it is a part of YAML. */
function diagnosticLines(check: RunCheck): string[] {
  const { outcome, rule, place, lines = [] } = check;
  const fields: [string, string | number][] = [
    ['message', messageOfCheck(check)],
    ['severity', outcome === 'failed' ? 'fail' : 'error'],
    ['law', rule.name],
    ['sentence', rule.sentence],
    ...(place === undefined ? [] : ([['file', place.file]] satisfies [string, string][])),
    ...(place?.line === undefined ? [] : ([['line', place.line]] satisfies [string, number][])),
  ];
  const text = lines.length === 0 ? [] : ['report:', ...lines.map((line) => `  - ${spelled(line)}`)];
  return ['---', ...fields.map(([key, value]) => `${key}: ${spelled(value)}`), ...text, '...'].map(
    (line) => `  ${line}`,
  );
}

function spelled(value: string | number): string {
  return JSON.stringify(typeof value === 'string' ? printable(value) : value);
}

/** A name ends at a `#` that is not escaped. */
function escapedTap(name: string): string {
  return oneLine(name).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ').trim();
}
