import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stepsOf } from '../checker/sequences/steps-of.ts';
import { parseAction, printAction } from '../model/action-text.ts';
import { allExamples, exampleSpelling } from '../model/client/examples.ts';
import { KERNELS } from '../model/core/profile.ts';
import { parseSequence } from './sequences/attach-trace.ts';
import { EXAMPLE, printTracesPage, SCENARIO } from './traces-page.ts';

const PAGE = join(import.meta.dirname, '../docs/traces.md');

test('the page says how every call is written', () => {
  const text = printTracesPage();
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, text);
  else expect(text).toBe(readFileSync(PAGE, 'utf8'));
});

describe.each(KERNELS)('%s', (profile) => {
  const spelling = exampleSpelling(profile);

  test.each(allExamples(profile))('%s is read as it is written, and done', (line) => {
    const action = parseAction(line, spelling);
    expect(printAction(action, spelling)).toBe(line);
    expect(stepsOf({ ...spelling, actions: [action] })).toHaveLength(1);
  });
});

test('the example is read, and answers as it says', () => {
  const { case: c, answers } = parseSequence(EXAMPLE);
  const errnos = stepsOf(c).map(({ outcome }) => outcome.errno);
  expect(errnos).toEqual([0, 0, 0, 0]);
  expect(answers).toEqual(['', '0', '', '']);
});

test('the scenario is the one among the examples', () => {
  const file = join(import.meta.dirname, '../docs/examples/kretprobe.scenario');
  expect(SCENARIO).toBe(readFileSync(file, 'utf8'));
});
