import { describe, expect, test } from 'vitest';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';
import { sources } from './sources.ts';
import { functionsOf, tidyProblems } from './tidy.ts';

/** The rules name what they ban, and these tests show it. */
const ABOUT_RULES = ['test/tidy.ts', 'test/tidy.test.ts', 'test/imports.test.ts'];

describe('the house', () => {
  const files = sources('.ts', '.c', '.md', '.json', '.trace').filter(
    ({ path }) => !ABOUT_RULES.includes(path),
  );

  test('is tidy', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(tidyProblems)).toEqual([]);
  });

  test('has small files and functions', () => {
    const own = files.filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
    const lengths = own.map(({ text }) => text.split('\n').length - 1);
    const functions = own.flatMap((source) => functionsOf(parsed(source)));
    expect(median(lengths)).toBeLessThanOrEqual(110);
    expect(
      median(functions.filter(({ length }) => length > 1).map(({ length }) => length)),
    ).toBeLessThanOrEqual(8);
  });

  test('a lock file holds no addresses', () => {
    for (const { text } of sources('package-lock.json')) expect(text).not.toContain('"resolved"');
  });
});

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

const lines = (count: number, line = 'x();') => `${Array.from({ length: count }, () => line).join('\n')}\n`;
const problems = (path: string, text: string) => tidyProblems({ path, text } satisfies Source);

describe('the rules themselves', () => {
  test.each([
    ['model/a.ts', '// TODO: later', /scope/],
    ['model/a.ts', '/** @param x the x */', /sentence/],
    ['README.md', 'This is verified.', /held for/],
    ['model/a.ts', '/** kernel/trace/ftrace.c:1234 */', /cite file and function/],
    ['conformance/a.ts', "open('/tmp/x')", /path from the top/],
    ['model/a.ts', '// ---------- helpers', /banner/],
    ['model/a.ts', 'const x = Math.random();', /seeded/],
    ['properties/a.ts', 'const t = performance.now();', /count/],
    ['counterexamples/a.ts', 'process.stdout.write(x)', /command line/],
    ['model/a.ts', '// @ts-ignore', /a type/],
    ['model/a.test.ts', "test('should work', () => {})", /fact/],
    ['model/a.test.ts', "test.only('x', () => {})", /runs/],
  ])('%s must not say %s', (path, text, instead) => {
    expect(problems(path, text)).toEqual([expect.stringMatching(instead)]);
  });

  test.each([
    ['main.ts', 'const t = performance.now();'],
    ['properties/a.test.ts', 'const t = performance.now();'],
    ['model/a.ts', '/** register_ftrace_direct(), kernel/trace/ftrace.c. */'],
    ['model/a.ts', '/* bpf_jit_comp.c: a sentence. */'],
  ])('%s may say %s', (path, text) => {
    expect(problems(path, text)).toEqual([]);
  });

  test('a file of 251 lines is too long, one of 250 is not, and a reason is accepted', () => {
    expect(problems('model/a.ts', lines(250))).toEqual([]);
    expect(problems('model/a.ts', lines(251))).toEqual([expect.stringMatching(/251 lines/)]);
    expect(problems('model/a.ts', `/* Long on purpose: one table. */\n${lines(251)}`)).toEqual([]);
  });

  test('a function of 41 lines is too long, one of 40 is not, and a reason is accepted', () => {
    const fn = (body: number) => `function f() {\n${lines(body)}}\n`;
    expect(problems('model/a.ts', fn(38))).toEqual([]);
    expect(problems('model/a.ts', fn(39))).toEqual([
      'model/a.ts:1: f has 41 lines, more than 40; cut it, or say why on purpose',
    ]);
    expect(problems('model/a.ts', `/** One switch on purpose. */\n${fn(39)}`)).toEqual([]);
  });

  test('a name that says nothing is refused', () => {
    expect(problems('model/ftrace/utils.ts', 'x();\n')).toEqual([expect.stringMatching(/says nothing/)]);
    expect(problems('model/ftrace/index.test.ts', 'x();\n')).toHaveLength(1);
  });
});
