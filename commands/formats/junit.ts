import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { CheckedRun } from './checked-run.ts';
import { allChecks, messageOfCheck, outcomes, printable } from './checked-run.ts';

/**
 * JUnit's XML, in the elements and attributes that Jenkins and GitLab read (`testsuites/testsuite/testcase`), without
 * times and dates: one seed gives the same bytes. A listed breach is `skipped`.
 */
export function junitText(run: CheckedRun): string {
  const all = allChecks(run).map(({ check }) => check);
  const counts = {
    tests: all.length,
    failures: outcomes(all, 'failed'),
    errors: outcomes(all, 'error'),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element('testsuites', { name: 'attachcheck', ...counts }, [
      ...run.suites.flatMap((suite) => suiteLines(suite, run)),
    ]),
    '',
  ].join('\n');
}

function suiteLines({ name, facts, checks }: CheckSuite, { command, exit, version }: CheckedRun): string[] {
  const counts = {
    tests: checks.length,
    failures: outcomes(checks, 'failed'),
    errors: outcomes(checks, 'error'),
    skipped: outcomes(checks, 'skipped') + outcomes(checks, 'known'),
  };
  const properties = Object.entries({ ...facts, command, exit: String(exit), version });
  return element('testsuite', { name, ...counts }, [
    ...element(
      'properties',
      {},
      properties.flatMap(([key, value]) => element('property', { name: key, value }, [])),
    ),
    ...checks.flatMap((check) => caseLines(name, check)),
  ]);
}

function caseLines(suite: string, check: RunCheck): string[] {
  const { name, place } = check;
  const file = place === undefined ? {} : { file: place.file };
  return element('testcase', { classname: `attachcheck.${suite}`, name, ...file }, outcomeLines(check));
}

function outcomeLines(check: RunCheck): string[] {
  const { outcome, rule } = check;
  const message = messageOfCheck(check);
  switch (outcome) {
    case 'passed':
      return [];
    case 'known':
      return element('skipped', { message: `known: ${message}` }, []);
    case 'skipped':
      return element('skipped', { message }, []);
    case 'failed':
      return textElement('failure', { message, type: rule.name }, bodyOf(check));
    case 'error':
      return textElement('error', { message, type: rule.name }, bodyOf(check));
    default:
      return unreachable(outcome);
  }
}

/** The place, the sentence, and the report. */
function bodyOf({ place, rule, lines = [] }: RunCheck): string {
  const where = place?.line === undefined ? place?.file : `${place.file}:${place.line}`;
  return [...(where === undefined ? [] : [where]), `${rule.name}: ${rule.sentence}`, '', ...lines].join('\n');
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element with others in it. */
function element(name: string, attributes: Attributes, inner: readonly string[]): string[] {
  const start = startOf(name, attributes);
  if (inner.length === 0) return [`<${start}/>`];
  return [`<${start}>`, ...inner.map((line) => `  ${line}`), `</${name}>`];
}

/** An element with a text in it, whose lines are kept as they are: one item. */
function textElement(name: string, attributes: Attributes, text: string): string[] {
  return [`<${startOf(name, attributes)}>${escapedXml(text)}</${name}>`];
}

function startOf(name: string, attributes: Attributes): string {
  const all = Object.entries(attributes).map(
    ([key, value]) => `${key}="${escapedXml(String(value), 'in a value')}"`,
  );
  return [name, ...all].join(' ');
}

/** In the value of an attribute the end of a line has to be a reference: a parser reads a blank otherwise. */
function escapedXml(text: string, where: 'in a text' | 'in a value' = 'in a text'): string {
  const escaped = printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
  if (where === 'in a text') return escaped;
  return escaped.replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}
