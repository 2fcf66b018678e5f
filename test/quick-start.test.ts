import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Packed } from './packed.ts';
import { packed } from './packed.ts';

let unpacked: Packed;

beforeAll(async () => {
  unpacked = await packed(mkdtempSync(join(tmpdir(), 'attachcheck-')));
});
afterAll(() => rmSync(unpacked.folder, { recursive: true }));

/** Notes the address of every module that a process loads, in the file that NOTED names. */
const NOTING = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
import { appendFileSync } from 'node:fs';
export function load(url, context, next) {
  appendFileSync(process.env.NOTED, url + '\\\\n');
  return next(url, context);
}\`));
`)}`;

/** What a command of the installed program loads: paths below its folder, names of packages, modules of the system. */
function loadedBy(args: readonly string[]): string[] {
  const noted = join(unpacked.folder, 'noted');
  const program = join(unpacked.folder, 'node_modules/attachcheck');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', NOTING, join(program, 'dist/main.js'), ...args],
    { encoding: 'utf8', env: { ...process.env, NOTED: noted } },
  );
  expect([status, stderr]).toEqual([0, '']);
  const urls = readFileSync(noted, 'utf8').trimEnd().split('\n');
  rmSync(noted);
  return urls.map((url) => {
    if (!url.startsWith('file:')) return url;
    const path = fileURLToPath(url);
    const [, name] = /.*\/node_modules\/(?!attachcheck\/)(@[^/]+\/[^/]+|[^/]+)\//.exec(path) ?? [];
    return name ?? relative(join(program, 'dist'), path).replaceAll(sep, '/');
  });
}

/** Whether a module can only be there to do the work of a command. */
const WORKS = /^(?:checker|properties|conformance|kernels|model\/(?!core\/|abi\/)\w+)\//;

test.each([[['--version']], [['--help']], [['help', 'explore']]])(
  '%s loads the declared commands, and nothing that runs one',
  (args) => {
    const loaded = loadedBy(args);
    expect(loaded).toContain('commands/explore/explore-command.js');
    expect(loaded.filter((name) => WORKS.test(name))).toEqual([]);
    expect(packagesIn(loaded)).toEqual(['commander', 'fastest-levenshtein']);
  },
);

/** Commands that read tables: shells ask for their completion whenever they start. */
test.each([[['completion', 'bash']], [['why', 'EBUSY']]])(
  '%s loads no model, no search and no law',
  (args) => {
    const loaded = loadedBy(args);
    const step = loaded.filter((name) =>
      /^(?:checker|properties|model\/(?:client|ftrace|x86)|model\/step)/.test(name),
    );
    expect(step).toEqual([]);
    expect(packagesIn(loaded)).toEqual(['commander', 'fastest-levenshtein']);
  },
);

test('a command that runs the model loads it: the list of modules is the whole list', () => {
  const trace = 'node_modules/attachcheck/docs/examples/why-busy.calls';
  expect(loadedBy(['why', join(unpacked.folder, trace)])).toEqual(
    expect.arrayContaining(['iced-x86', 'immer', 'fast-check', 'model/step.js']),
  );
});

function packagesIn(loaded: readonly string[]): string[] {
  return [...new Set(loaded.filter((name) => !name.endsWith('.js') && !name.startsWith('node:')))].sort();
}
