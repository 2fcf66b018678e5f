import { describe, expect, test } from 'vitest';
import { proseOf } from './prose.ts';
import { sources } from './sources.ts';
import { BANS, styleProblems } from './style.ts';

/** The table of bans, and this test of it, have the words in them. */
const ABOUT_STYLE = ['test/style.ts', 'test/style.test.ts'];

/** Directories that still have habits to lose: it gets shorter, and never longer. */
const NOT_YET: readonly string[] = [
  'checker/interleavings',
  'commands/check',
  'commands/explain',
  'commands/explore',
  'commands/line',
  'counterexamples',
  'docs',
  'properties',
];

describe('what a person reads', () => {
  const problems = sources('.ts', '.md', '.trace')
    .filter(({ path }) => !ABOUT_STYLE.includes(path))
    .flatMap(styleProblems);
  const below = (place: string) =>
    problems.filter((problem) => problem.startsWith(`${place}/`) || problem.startsWith(`${place}:`));

  test('has the words of the field', () => {
    const listed = new Set(NOT_YET.flatMap(below));
    expect(problems.filter((problem) => !listed.has(problem))).toEqual([]);
  });

  test.each(NOT_YET)('%s still has habits to lose; else it is no longer listed', (place) => {
    expect(below(place)).not.toEqual([]);
  });
});

describe('the rules themselves', () => {
  const of = (text: string) => styleProblems({ path: 'README.md', text });

  test.each(BANS)('$instead: not "$bad"', ({ instead, bad, good }) => {
    expect(new Set(of(bad).map((problem) => problem.replace(/^[^"]*"[^"]*": /, '')))).toEqual(
      new Set([instead]),
    );
    expect(of(good)).toEqual([]);
    expect(of(instead)).toEqual([]);
  });

  test('a problem is named with its line, over the end of a line', () => {
    expect(of('It runs.\nIt goes\non.')).toEqual(['README.md:2: "goes on": runs, resumes, continues']);
  });

  test('comments and texts of code are read; names, modules and regular expressions are not', () => {
    const text = [
      "import { anew } from './circle.ts';",
      '/** A comment\n * of two lines. */',
      '// One,',
      '// and its end.',
      `const moment = /stretch/.test('a text') ? x['room'] : \`a \${'text'} // of \${moment} parts\`;`,
    ].join('\n');
    expect(proseOf({ path: 'a.ts', text }).map((prose) => prose.text.replace(/\s+/g, ' '))).toEqual([
      "'a text'",
      expect.stringMatching(/^`a ..$/),
      "'text'",
      expect.stringMatching(/^} \/\/ of ..$/),
      '} parts`',
      '/** A comment of two lines. */',
      '// One, and its end.',
    ]);
  });

  test('code in a line of a document is not read, and its blocks are', () => {
    expect(of('`anew` is a name.\n```text\nmade anew\n```\n')).toEqual(['README.md:3: "anew": again']);
  });
});
