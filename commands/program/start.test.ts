import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../test/scratch.ts';
import { TOP } from '../../test/sources.ts';
import { THOROUGH } from '../../test/thorough.ts';

/** A project of a few modules, of which one says where it is, and whether a bundle runs it. */
const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "files": ["commands", "model"] }',
  'package-lock.json': '{}',
  'main.ts':
    "import { place, value } from './model/value.ts';\nconsole.log(JSON.stringify([value, place, new Error().stack!.includes('main.mjs')]));\n",
  'model/value.ts': 'export const value: string = "first";\nexport const place = import.meta.filename;\n',
  'commands/explore/explore-worker.ts': '',
  'commands/refine/refine-worker.ts': '',
  'commands/compare/design-worker.ts': '',
};

const folder = scratch();

function write(path: string, text: string): void {
  mkdirSync(dirname(folder.path(path)), { recursive: true });
  folder.file(path, text);
}

/** The project, with the starter and all that it imports. */
function project(): void {
  for (const [path, text] of Object.entries(SOURCES)) write(path, text);
  for (const path of ['commands/program', 'commands/line/project.ts'])
    cpSync(join(TOP, path), folder.path(path), { recursive: true });
  mkdirSync(folder.path('node_modules'));
  for (const name of readdirSync(join(TOP, 'node_modules')).filter((name) => name !== '.cache'))
    symlinkSync(join(TOP, 'node_modules', name), folder.path(join('node_modules', name)));
}

function printed(...words: readonly string[]): unknown {
  const start = folder.path('commands/program/start.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [start, ...words], { encoding: 'utf8' });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

test('a bundle of the sources as they are is started, made once for each state of them', () => {
  project();
  const bundles = () => readdirSync(folder.path('node_modules/.cache/program'));
  const place = folder.path('model/value.ts');
  expect(printed()).toEqual(['first', place, true]);
  const first = bundles();
  expect(printed()).toEqual(['first', place, true]);
  expect(bundles()).toEqual(first);
  write('model/value.ts', SOURCES['model/value.ts']!.replace('first', 'other'));
  expect(printed()).toEqual(['other', place, true]);
  expect(bundles()).toHaveLength(2);
  // With modules of a user, and for a page, the sources run themselves.
  for (const option of THOROUGH ? ['--with', '--with=own.ts', '--html'] : ['--with=own.ts', '--html'])
    expect(printed(option)).toEqual(['other', place, false]);
  write('model/value.ts', 'export const value = ;');
  expect(printed()).toMatch(/value\.ts:1:21: ERROR: Unexpected ";"/);
});
