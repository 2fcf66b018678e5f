import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import { attachcheck } from '../../test/console.ts';
import { schemaProblems } from '../../test/shape.ts';
import { sources, TOP } from '../../test/sources.ts';
import { jsonSchema, printSchema, RESULTS } from './all.ts';

const FILE = join(TOP, 'docs/json.schema.json');

/** The examples of the page, whose shape other tests hold against what commands print. */
const EXAMPLES = [...sources('docs/json.md')[0]!.text.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(
  ([, name, text]) => [name!, JSON.parse(text!)] as const,
);

test.each(EXAMPLES)('the example %s of the page is of its schema', (name, example) => {
  expect(schemaProblems(name, example)).toEqual([]);
});

test('every object but those of new, completion and kernel setup has an example', () => {
  const shown = new Set(EXAMPLES.map(([name]) => name));
  expect(
    Object.keys(RESULTS)
      .filter((name) => !shown.has(name))
      .sort(),
  ).toEqual(['completion', 'kernelSetup', 'new', 'unplannedBugs']);
});

test('the shipped schema is current', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, printSchema());
  expect(readText(FILE)).toBe(printSchema());
});

test('every object is closed, and names its command', () => {
  const definitions = jsonSchema()['$defs'] as Record<string, Record<string, unknown>>;
  for (const [name, schema] of Object.entries(definitions))
    for (const form of (schema['anyOf'] as Record<string, unknown>[]) ?? [schema]) {
      expect([name, form['additionalProperties']]).toEqual([name, false]);
      expect(Object.keys(form['properties'] as object), name).toContain(
        name === 'error' ? 'error' : 'command',
      );
    }
});

describe('an unknown field, a missing one and another type fail', () => {
  const [, example] = EXAMPLES.find(([name]) => name === 'explain')!;

  test.each([
    { ...example, more: 1 },
    { ...example, kernels: [{ ...example.kernels[0], more: 1 }] },
    { ...example, file: undefined },
    { ...example, exit: '0' },
  ])('%j', (wrong) => {
    expect(RESULTS['explain']?.safeParse(wrong).success).toBe(false);
  });
});

test.each([
  ['error', ['--law', 'nothing', '--json']],
  ['error', ['frobnicate', '--json']],
  ['completion', ['completion', 'bash', '--json']],
  ['unplannedBugs', ['bugs', '--unplanned', '--json']],
])('what is printed is of its schema: %s, %j', async (name, args) => {
  const { stdout } = await attachcheck(args);
  expect(schemaProblems(name, JSON.parse(stdout))).toEqual([]);
});
