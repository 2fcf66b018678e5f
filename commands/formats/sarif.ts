import { createHash } from 'node:crypto';
import type { CheckedRule, FilePlace, RunCheck } from '../../counterexamples/run-check.ts';
import type { CheckedRun } from './checked-run.ts';
import { allChecks, messageOfCheck, printable } from './checked-run.ts';

/**
 * SARIF 2.1.0: one run, a rule for each law, a result for each breach. A listed breach is a result that is suppressed;
 * what gave no verdict is a notification of the invocation.
 */
export function sarifText(run: CheckedRun): string {
  const all = allChecks(run);
  const results = all.filter(({ check: { outcome } }) => outcome === 'failed' || outcome === 'known');
  const others = all.filter(({ check: { outcome } }) => outcome === 'error' || outcome === 'skipped');
  const rules = [...new Map(all.map(({ check: { rule } }) => [rule.name, rule])).values()];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'attachcheck', version: run.version, rules: rules.map(ruleObject) } },
        invocations: [invocation(run, others)],
        results: results.map(({ check }) => resultObject(check, rules)),
        columnKind: 'utf16CodeUnits',
        properties: {
          suites: run.suites.map(({ name, facts, checks }) => ({ name, ...facts, checks: checks.length })),
        },
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function invocation(run: CheckedRun, others: readonly { suite: string; check: RunCheck }[]) {
  const { exit, signal, command } = run;
  const isWhole = signal === undefined && others.every(({ check }) => check.outcome !== 'error');
  return {
    executionSuccessful: isWhole,
    commandLine: command,
    exitCode: exit,
    ...(signal === undefined ? {} : { exitSignalName: signal }),
    toolExecutionNotifications: others.map(({ suite, check }) => ({
      level: check.outcome === 'error' ? 'error' : 'note',
      message: { text: `${suite}: ${check.name}: ${messageOfCheck(check)}` },
      associatedRule: { id: check.rule.name },
      ...locationsOf(check.place),
    })),
  };
}

function ruleObject({ name, sentence }: CheckedRule) {
  const [short = sentence] = /^.*?[.!?](?=\s|$)/s.exec(sentence) ?? [];
  return {
    id: name,
    shortDescription: { text: short },
    fullDescription: { text: sentence },
    defaultConfiguration: { level: 'error' },
  };
}

function resultObject(check: RunCheck, rules: readonly CheckedRule[]) {
  const { name, rule, outcome, place, lines = [] } = check;
  const isKnown = outcome === 'known';
  return {
    ruleId: rule.name,
    ruleIndex: rules.findIndex((other) => other.name === rule.name),
    kind: 'fail',
    level: isKnown ? 'note' : 'error',
    message: { text: [`${name}: ${rule.sentence}`, ...lines].join('\n') },
    ...locationsOf(place),
    partialFingerprints: { 'attachcheckCause/v1': fingerprint(check) },
    ...(isKnown
      ? { suppressions: [{ kind: 'external', status: 'accepted', justification: messageOfCheck(check) }] }
      : {}),
  };
}

/** Breaches with one cause have one fingerprint: 32 hexadecimal digits. */
function fingerprint({ rule, name, cause = name }: RunCheck): string {
  return createHash('sha256').update(`${rule.name}\n${cause}`).digest('hex').slice(0, 32);
}

function locationsOf(place: FilePlace | undefined) {
  if (place === undefined) return {};
  const { file, line } = place;
  const region = line === undefined ? {} : { region: { startLine: line } };
  return { locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } }] };
}

/** A path is relative to the directory of the run, or absolute. */
function uriOf(file: string): string {
  const path = printable(file).split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
