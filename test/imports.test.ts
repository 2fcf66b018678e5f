import { describe, expect, test } from 'vitest';
import { importProblems, importsOf, startsWith } from './imports.ts';
import { sources } from './sources.ts';

describe('the import graph', () => {
  test('imports point one way', () => {
    const ours = sources('.ts');
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.flatMap(importsOf).length).toBeGreaterThan(500);
    expect(importProblems(ours)).toEqual([]);
  });
});

test('help and completion start none of the model, its laws and its searches', () => {
  const late = importsOf(sources('main.ts').find(({ path }) => path === 'main.ts')!).map(({ to }) => to);
  const started = late.flatMap((to) => [...startsWith(to, sources('.ts'))]);
  expect(started).toContain('commands/explore/explore-command.ts');
  expect(started.filter((path) => /^(?:checker|properties|model\/(?!core|abi))/.test(path))).toEqual([]);
});

describe('the rule itself', () => {
  const problems = (files: Record<string, string>) =>
    importProblems(Object.entries(files).map(([path, text]) => ({ path, text })));

  test('an arrow that turns back is a sentence with the place and the rule', () => {
    const [problem] = problems({
      'model/x86/flags.ts': "import { a } from '../trampoline/frame.ts';",
      'model/trampoline/frame.ts': 'export const a = 1;',
    });
    expect(problem).toMatch(
      /^model\/x86\/flags\.ts:1: model\/x86 must not import model\/trampoline\/frame\.ts\. main, and library through api, import commands/,
    );
  });

  test.each([
    ['model/ftrace/a.ts', 'model/trampoline/b.ts'],
    ['model/abi/a.ts', 'model/x86/b.ts'],
    ['model/a.ts', 'properties/b.ts'],
    ['properties/a.ts', 'checker/b.ts'],
    ['checker/a.ts', 'counterexamples/b.ts'],
    ['counterexamples/a.ts', 'conformance/b.ts'],
    ['conformance/a.ts', 'commands/b.ts'],
    ['commands/a.ts', 'main.ts'],
    ['commands/a.ts', 'api/b.ts'],
    ['commands/a.ts', 'library.ts'],
    ['api/a.ts', 'library.ts'],
    ['main.ts', 'library.ts'],
    ['model/call/a.ts', 'model/step.ts'],
    ['model/step.ts', 'model/testing/b.ts'],
    ['properties/a.ts', 'model/testing/b.ts'],
    ['model/ftrace/a.test.ts', 'main.ts'],
    ['conformance/a.ts', 'bench/b.ts'],
    ['model/core/a.ts', 'model/abi/b.ts'],
  ])('%s must not import %s', (from, to) => {
    const up = '../'.repeat(from.split('/').length - 1);
    expect(problems({ [from]: `import '${up}${to}';`, [to]: '' })).toHaveLength(1);
    expect(problems({ [from]: `export * from '${up}${to}';`, [to]: '' })).toHaveLength(1);
    expect(problems({ [from]: `await import('${up}${to}');`, [to]: '' })).toHaveLength(1);
  });

  test.each([
    ['main.ts', 'commands/b.ts'],
    ['library.ts', 'api/b.ts'],
    ['library.ts', 'model/b.ts'],
    ['api/a.ts', 'commands/b.ts'],
    ['commands/a.ts', 'conformance/b.ts'],
    ['model/call/a.ts', 'model/kernel.ts'],
    ['model/step.ts', 'model/call/b.ts'],
    ['model/ftrace/a.test.ts', 'model/testing/b.ts'],
    ['main.ts', 'model/core/b.ts'],
    ['properties/a.ts', 'model/x86/b.ts'],
    ['model/a.ts', 'model/core/b.ts'],
    ['model/trampoline/stage/a.ts', 'model/abi/b.ts'],
    ['model/ftrace/a.ts', 'model/x86/b.ts'],
    ['bench/a.ts', 'main.ts'],
  ])('%s may import %s', (from, to) => {
    const up = '../'.repeat(from.split('/').length - 1) || './';
    expect(problems({ [from]: `import '${up}${to}';`, [to]: '' })).toEqual([]);
  });

  test('a package that belongs to one directory is refused in another, except in tests', () => {
    expect(problems({ 'model/trampoline/a.ts': "import * as iced from 'iced-x86';" })).toEqual([
      'model/trampoline/a.ts:1: iced-x86 may be imported only in model/x86',
    ]);
    expect(problems({ 'properties/a.ts': "import { readFileSync } from 'node:fs';" })).toHaveLength(1);
    expect(problems({ 'properties/a.test.ts': "import { readFileSync } from 'node:fs';" })).toEqual([]);
    expect(problems({ 'checker/a.ts': "import fc from 'fast-check';" })).toEqual([]);
  });

  test('a directory that is not on the map, and a missing file, are named', () => {
    expect(problems({ 'model/helpers/a.ts': "import 'x';" })[0]).toMatch(/is in no known directory/);
    expect(problems({ 'model/a.ts': "import './gone.ts';" })).toEqual([
      'model/a.ts:1: model/gone.ts does not exist',
    ]);
  });

  test('files that import values of each other are a ring; types are not', () => {
    expect(
      problems({ 'model/a.ts': "import { b } from './b.ts';", 'model/b.ts': "import { a } from './a.ts';" }),
    ).toEqual(['files import each other: model/a.ts → model/b.ts → model/a.ts']);
    expect(
      problems({
        'model/a.ts': "import type { B } from './b.ts';",
        'model/b.ts': "import { a } from './a.ts';",
      }),
    ).toEqual([]);
  });
});
