import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../test/scratch.ts';
import { bundleProgram } from './bundle-program.ts';

/** A compiled form of a few modules: it prints where each is, and what it has registered. */
const COMPILED: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'dist/main.js':
    "import { LIST } from './model/list.js'; import { places } from './model/places.js'; export const words = process.argv.slice(2);\n" +
    'LIST.push("main");\nif (words[0] !== undefined) await import(words[0]);\nconsole.log(JSON.stringify({ LIST, places, own: import.meta.filename, words }));\n',
  'dist/library.js': "export { LIST } from './model/list.js';\n",
  'dist/model/list.js': 'export const LIST = [];\n',
  'dist/model/places.js':
    'export const places = [import.meta.filename, import.meta.dirname, import.meta.url];\n',
  'dist/commands/explore/explore-worker.js':
    "import { places } from '../../model/places.js';\nconsole.log(JSON.stringify(places));\n",
  'dist/commands/refine/refine-worker.js': '',
  'dist/commands/compare/design-worker.js': '',
  'own.js': "import { LIST } from './dist/library.js';\nLIST.push('own');\n",
};

const folder = scratch();

function printed(start: string, ...words: readonly string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [folder.path(start), ...words], { encoding: 'utf8' }));
}

test('a bundled program has one of each module, which is where it was', async () => {
  for (const [path, text] of Object.entries(COMPILED)) {
    mkdirSync(dirname(folder.path(path)), { recursive: true });
    folder.file(path, text);
  }
  await bundleProgram(folder.path('dist'));
  const places = [
    folder.path('dist/model/places.js'),
    folder.path('dist/model'),
    new URL(`file://${folder.path('dist/model/places.js')}`).href,
  ];
  const own = folder.path('own.js');
  const main = folder.path('dist/main.js');
  expect(printed('dist/main.js', own)).toEqual({ LIST: ['main', 'own'], places, own: main, words: [own] });
  expect(printed('dist/commands/explore/explore-worker.js')).toEqual(places);
  // A page is made by the modules themselves.
  expect(printed('dist/main.js', own, '--html')).toMatchObject({ LIST: ['main'], places });
});
