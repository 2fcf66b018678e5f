import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { EMPTY_RUN, EXAMPLE_RUN } from '../../test/example-run.ts';
import type { CheckedRun } from './checked-run.ts';
import { sarifText } from './sarif.ts';

const Message = z.strictObject({ text: z.string().min(1) });

/** A location as code scanning reads it: a relative reference or an absolute URI, and a line from 1. */
const Locations = z.array(
  z.strictObject({
    physicalLocation: z.strictObject({
      artifactLocation: z.strictObject({ uri: z.string().regex(/^(?:file:\/\/\/)?[\w.~%!*'()/-]+$/) }),
      region: z.strictObject({ startLine: z.number().int().min(1) }).optional(),
    }),
  }),
);

const Rule = z.strictObject({
  id: z.string().min(1),
  shortDescription: Message,
  fullDescription: Message,
  defaultConfiguration: z.strictObject({ level: z.enum(['none', 'note', 'warning', 'error']) }),
});

const Result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.number().int().min(0),
  kind: z.literal('fail'),
  level: z.enum(['note', 'warning', 'error']),
  message: Message,
  locations: Locations.min(1).optional(),
  partialFingerprints: z.record(z.string().regex(/\/v\d+$/), z.string().regex(/^[0-9a-f]{32}$/)),
  suppressions: z
    .array(
      z.strictObject({
        kind: z.enum(['inSource', 'external']),
        status: z.enum(['accepted', 'underReview', 'rejected']),
        justification: z.string(),
      }),
    )
    .optional(),
});

const Invocation = z.strictObject({
  executionSuccessful: z.boolean(),
  commandLine: z.string(),
  exitCode: z.number().int(),
  exitSignalName: z.string().optional(),
  toolExecutionNotifications: z.array(
    z.strictObject({
      level: z.enum(['none', 'note', 'warning', 'error']),
      message: Message,
      associatedRule: z.strictObject({ id: z.string().min(1) }),
      locations: Locations.optional(),
    }),
  ),
});

/** The part of SARIF 2.1.0 that is written, and nothing besides. */
const Log = z.strictObject({
  $schema: z.literal('https://json.schemastore.org/sarif-2.1.0.json'),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({ name: z.string(), version: z.string(), rules: z.array(Rule) }),
      }),
      invocations: z.tuple([Invocation]),
      results: z.array(Result),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      properties: z.record(z.string(), z.unknown()),
    }),
  ]),
});

function parsedSarif(run: CheckedRun) {
  return Log.parse(JSON.parse(sarifText(run))).runs[0];
}

describe('sarif', () => {
  const { tool, results, invocations } = parsedSarif(EXAMPLE_RUN);
  const [{ toolExecutionNotifications: notifications, ...invocation }] = invocations;

  test('has one rule for each law, which results name', () => {
    const { rules } = tool.driver;
    expect(rules.map(({ id }) => id)).toEqual([
      'ftrace/held',
      'ftrace/broken',
      'ftrace/vacuous',
      'recordings/agree',
    ]);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    expect(rules[0]?.shortDescription.text).toBe('Each call is seen once.');
    expect(rules[0]?.fullDescription.text).toBe('Each call is seen once. No other is; see §2.');
  });

  test('has a result for each breach, at its step; a listed one is suppressed', () => {
    const [broken, known, ...others] = results;
    expect(others).toEqual([]);
    expect(broken?.level).toBe('error');
    expect(broken?.suppressions).toBeUndefined();
    expect(broken?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'a%20folder/found%2C1.trace' },
          region: { startLine: 9 },
        },
      },
    ]);
    expect(known).toMatchObject({ level: 'note', suppressions: [{ status: 'accepted' }] });
  });

  test('what gave no verdict is a notification', () => {
    expect(notifications.map(({ level, message }) => [level, message.text])).toEqual([
      ['note', 'sequences: vacuous: never exercised'],
      ['error', 'recordings: a.jsonl:3: this line is not JSON'],
    ]);
    expect(invocation).toMatchObject({ executionSuccessful: false, exitCode: 1 });
  });

  test('of an empty run that was stopped it is a document', () => {
    const { results, invocations } = parsedSarif(EMPTY_RUN);
    expect(results).toEqual([]);
    expect(invocations[0]).toMatchObject({ executionSuccessful: false, exitSignalName: 'SIGINT' });
  });

  test('breaches of one cause have one fingerprint, whatever their names, places and words', () => {
    const prints = (name: string, cause: string, file: string) => {
      const [suite] = EXAMPLE_RUN.suites;
      const check = { ...suite!.checks[1]!, name, cause, place: { file }, lines: [file] };
      const [result] = parsedSarif({ ...EXAMPLE_RUN, suites: [{ ...suite!, checks: [check] }] }).results;
      return result?.partialFingerprints;
    };
    expect(prints('6.12', 'a, b', '/x/y')).toEqual(prints('7.2', 'a, b', 'z'));
    expect(prints('6.12', 'a, b', '/x/y')).not.toEqual(prints('6.12', 'b, a', '/x/y'));
  });
});
