import { describe, expect, test } from 'vitest';
import { importsOf } from './imports.ts';
import { sources } from './sources.ts';
import { UNTESTED } from './untested.ts';

const FILES = sources('.ts').filter(({ path }) => path !== 'main.ts');
const PATHS = new Set(FILES.map(({ path }) => path));
const ROOMS = /^model\/(ftrace|text|trampoline)\//;
const testOf = (path: string) => path.replace(/\.ts$/, '.test.ts');

/** Files that are imported from one, through others as well. */
function reached(from: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const to of imports.get(path) ?? []) visit(to);
  };
  visit(from);
  return seen;
}

describe('files of the model', () => {
  test('have a test beside them, or a row that says where they are tested', () => {
    const own = [...PATHS].filter((path) => ROOMS.test(path) && !path.endsWith('.test.ts'));
    expect(own.length).toBeGreaterThan(150);
    const without = own.filter((path) => !PATHS.has(testOf(path)));
    expect(Object.keys(UNTESTED).sort()).toEqual(without.sort());
  });

  test('are imported by the test that their row names, or it says in a sentence why there is none', () => {
    const imports = new Map(FILES.map((file) => [file.path, importsOf(file).map(({ to }) => to)]));
    const reaches = new Map(
      [...new Set(Object.values(UNTESTED))].map((path) => [path, reached(path, imports)]),
    );
    const wrong = Object.entries(UNTESTED).filter(([path, where]) =>
      where.endsWith('.test.ts') ? !reaches.get(where)!.has(path) : !/^[A-Z].*\.$/.test(where),
    );
    expect(wrong).toEqual([]);
  });
});
