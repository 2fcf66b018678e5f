import { describe, expect, test } from 'vitest';
import { EMPTY_RUN, EXAMPLE_RUN } from '../../test/example-run.ts';
import { tapText } from './tap.ts';

/** A line of TAP 14: `ok` or not, its number, its name, and the directive. */
const TEST = /^(not )?ok (\d+) - ((?:[^#\\]|\\[\\#])*?)(?: # (SKIP|TO\u0044O) (.*))?$/;

/** The tests of a document, each with its diagnostics as fields. */
function parsedTap(text: string) {
  const [version, plan, ...lines] = text.trimEnd().split('\n');
  expect(version).toBe('TAP version 14');
  const tests = lines.flatMap((line) => {
    const [, not, number, name, directive, why] = TEST.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ ok: not === undefined, number: Number(number), name, directive, why }];
  });
  const others = lines.filter((line) => !TEST.test(line));
  for (const line of others) expect(line).toMatch(/^(?:# | {2})/);
  const blocks = others.join('\n').match(/^ {2}---\n(?: {2,}.*\n)*? {2}\.\.\.$/gm) ?? [];
  return { plan, tests, blocks: blocks.map(fieldsIn) };
}

function fieldsIn(block: string): Record<string, unknown> {
  const fields = [...block.matchAll(/^ {2}(\w+): (.*)$/gm)].map(([, key, value]) => [
    key,
    JSON.parse(value!),
  ]);
  const report = [...block.matchAll(/^ {4}- (.*)$/gm)].map(([, value]) => JSON.parse(value!));
  return { ...Object.fromEntries(fields), report };
}

describe('tap', () => {
  const { plan, tests, blocks } = parsedTap(tapText(EXAMPLE_RUN));

  test('has a plan, and numbers from 1', () => {
    expect(plan).toBe('1..5');
    expect(tests.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('says of each what has become of it: a listed breach is still to be mended, and breaks nothing', () => {
    expect(tests.map(({ ok, name, directive }) => [ok, name, directive])).toEqual([
      [true, 'sequences: held', undefined],
      [false, 'sequences: broken: a, "b" & <c> \\# 100 %', undefined],
      [false, 'sequences: broken as listed', 'TO\u0044O'],
      [true, 'sequences: vacuous', 'SKIP'],
      [false, 'recordings: a.jsonl:3', undefined],
    ]);
    expect(tests[3]?.why).toBe('never exercised');
  });

  test('has a block for each failure, with the place and the whole report', () => {
    expect(blocks).toEqual([
      {
        message: '✗ ftrace/broken  ]]> -- \\x1b[31m',
        severity: 'fail',
        law: 'ftrace/broken',
        sentence: 'Each call is seen once. No other is; see §2.',
        file: 'a folder/found,1.trace',
        line: 9,
        report: [
          '✗ ftrace/broken  ]]> -- \\x1b[31m',
          '',
          '  expected   100 %\r',
          '\tobserved   \\ud800 half',
        ],
      },
      expect.objectContaining({ severity: 'error', file: 'a.jsonl', line: 3 }),
    ]);
  });

  test('of an empty run it is a plan', () => {
    expect(parsedTap(tapText(EMPTY_RUN))).toEqual({
      plan: '1..0 # SKIP nothing was checked',
      tests: [],
      blocks: [],
    });
  });
});
