import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Results } from './results.ts';

let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'attachcheck-results-'));
});
afterAll(() => rmSync(top, { recursive: true }));

const FOUND = { path: 'counterexamples/corpus/ftrace/a-law.a-bug.trace', text: 'law ftrace/a-law\n' };

/** Saves counterexamples in a directory; their files, and what is said. */
function saved(folder: string, found: readonly { readonly path: string; readonly text: string }[]) {
  const said: string[] = [];
  const results = new Results(folder, 'attachcheck', (text) => said.push(text));
  results.plan(found);
  const planned = found.map((each) => results.fileOf(each));
  expect(planned.some((file) => file !== undefined && said.includes(`saved ${file}\n`))).toBe(false);
  results.write();
  return { files: found.map((each) => results.fileOf(each)), said };
}

test('a counterexample is written after its file was chosen, whole', () => {
  const folder = join(top, 'whole');
  const file = join(folder, 'ftrace/a-law.a-bug.trace');
  expect(saved(folder, [FOUND])).toEqual({ files: [file], said: [`saved ${file}\n`] });
  expect(readFileSync(file, 'utf8')).toBe(FOUND.text);
  expect(readdirSync(join(folder, 'ftrace'))).toEqual(['a-law.a-bug.trace']);
});

test('another one of the same law gets a number, an equal one the same file', () => {
  const folder = join(top, 'numbered');
  const other = { ...FOUND, text: 'law ftrace/a-law\nanother\n' };
  saved(folder, [FOUND, other, FOUND]);
  expect(readdirSync(join(folder, 'ftrace')).sort()).toEqual(['a-law.a-bug.2.trace', 'a-law.a-bug.trace']);
  expect(readFileSync(join(folder, 'ftrace/a-law.a-bug.2.trace'), 'utf8')).toBe(other.text);
});

test('a symbolic link does not lead a counterexample out of its directory', () => {
  const folder = join(top, 'linked');
  const elsewhere = join(top, 'elsewhere');
  for (const made of [folder, elsewhere]) mkdirSync(made);
  symlinkSync(elsewhere, join(folder, 'ftrace'));
  const { files, said } = saved(folder, [FOUND]);
  expect(files).toEqual([undefined]);
  expect(said.join('')).toMatch(
    /could not be saved: a symbolic link leads from .*\/ftrace to another directory\n$/,
  );
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a symbolic link in the place of a file is replaced, and not followed', () => {
  const folder = join(top, 'dangling');
  mkdirSync(join(folder, 'ftrace'), { recursive: true });
  const victim = join(top, 'victim');
  symlinkSync(victim, join(folder, 'ftrace/a-law.a-bug.trace'));
  saved(folder, [FOUND]);
  expect(existsSync(victim)).toBe(false);
});

test('a file that ends in the path of the corpus is named once', () => {
  const working = process.cwd();
  const path = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';
  const text = readFileSync(join(working, path), 'utf8');
  try {
    process.chdir(top);
    const results = new Results(undefined, 'attachcheck', () => {});
    results.plan([{ path, text }]);
    const file = results.fileOf({ path, text })!;
    expect(realpathSync(file)).toBe(realpathSync(join(working, path)));
    const told = results.told(`  replay     npm run check -- replay ${path}\n\n  saved      ${file}\n`);
    expect(told.split(file)).toHaveLength(3);
    expect(told.split(path)).toHaveLength(3);
  } finally {
    process.chdir(working);
  }
});
