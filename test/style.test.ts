import { describe, expect, test } from 'vitest';
import { proseOf } from './prose.ts';
import { sources } from './sources.ts';
import { BANS, styleProblems } from './style.ts';

/** The table of bans, and this test of it, have the words in them. */
const ABOUT_STYLE = ['test/style.ts', 'test/style.test.ts'];

test('what a person reads has the words of the field', () => {
  const files = sources('.ts', '.md', '.trace').filter(({ path }) => !ABOUT_STYLE.includes(path));
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap(styleProblems)).toEqual([]);
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

  test('code of a document and names are not read, and blocks of output are', () => {
    expect(of('```ts\nconst moment = 1;\n```\n')).toEqual([]);
    expect(of('{ "behind": null }')).toEqual([]);
    expect(of('It was task/nobody-waits.')).toEqual([]);
    expect(of('`anew` is a name.\n```text\nmade anew\n```\n')).toEqual(['README.md:3: "anew": again']);
  });
});
