import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import type { Packed } from './packed.ts';
import { packed } from './packed.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

let unpacked: Packed;

beforeAll(async () => {
  unpacked = await packed(mkdtempSync(join(tmpdir(), 'attachcheck-')));
  cpSync(join(TOP, 'examples'), join(unpacked.folder, 'examples'), { recursive: true });
});

afterAll(() => rmSync(unpacked.folder, { recursive: true }));

/** Runs what `npm start` runs in an example. */
function started(name: string) {
  const cwd = join(unpacked.folder, 'examples', name);
  const PATH = `${join(unpacked.folder, 'bin')}:${join(TOP, 'node_modules/.bin')}:${process.env['PATH']}`;
  const { scripts } = JSON.parse(sources(`examples/${name}/package.json`)[0]!.text) as Start;
  const { stdout, stderr, status } = spawnSync(scripts.start, {
    cwd,
    encoding: 'utf8',
    shell: true,
    env: { ...process.env, PATH, FORCE_COLOR: undefined, VITEST: undefined },
  });
  return { stdout, stderr, status };
}

interface Start {
  readonly scripts: { readonly start: string };
}

/** What the example of two sequences prints. */
const TWO_JUDGED =
  /^after a direct call: answers 0, 0\n {2}\d+ laws hold\n {2}step 4 breaks ftrace\/probes-fire-exactly-once: .* \(kprobe-is-registered-and-dead\)\nafter a program: answers 0, 0, 0\n {2}\d+ laws hold\n$/;

test('an example, from the sources, judges two sequences', async () => {
  let printed = '';
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    printed += `${line}\n`;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  await import('../examples/sequence/judge.ts');
  expect(printed).toMatch(TWO_JUDGED);
});

describe('an example, with the package as it is published', () => {
  test.runIf(THOROUGH)('judges two sequences', () => {
    const { stdout, stderr, status } = started('sequence');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(TWO_JUDGED);
  });

  test.runIf(THOROUGH)('tests properties of its own', () => {
    const { stdout, stderr, status } = started('property');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('2 passed');
  });

  test.runIf(THOROUGH)('loads a design of its own, whose fault is found', () => {
    const { stdout, stderr, status } = started('design');
    const saved = 'saved attachcheck-results/trampoline/reference-counts-are-exact.trace\n';
    expect([status, stderr]).toEqual([1, saved]);
    expect(stdout).toContain('✗ trampoline/reference-counts-are-exact');
    const commands = stdout.replace(/ \\\n\s*/g, ' ');
    expect(commands).toContain('npx attachcheck --with hasty.ts --law trampoline/reference-counts-are-exact');
  });

  test.runIf(THOROUGH)('judges an image from a file, and the same with a byte changed', () => {
    const { stdout, stderr, status } = started('image');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `83 bytes, calls prog#1, f
  holds on 2 paths
83 bytes, calls prog#1
  trampoline/stores-stay-in-the-frame: it overwrites its return address
`,
    );
  });
});

/** A user's law, in TypeScript, in a directory without a package.json. */
const OWN = `import type { TaskLaw } from 'attachcheck';
import { PROFILES, registerLaw, registerProfile } from 'attachcheck';

const nobodyEnds: TaskLaw = {
  name: 'mine/no-client-ends',
  sentence: 'No operation ends.',
  source: 'none',
  witness: 'an operation ended',
  judge: ({ happening }) =>
    happening.is === 'operation over'
      ? { is: 'in-own-words', expected: 'no client ends', observed: 'one does' }
      : 'not applicable',
};
registerLaw('interleavings', nobodyEnds);
registerProfile('mine', { ...PROFILES['6.12'], linksMax: 3 });
`;

describe('a module that --with names is loaded before the command, and by its workers:', () => {
  const fromPackage = () => [join(unpacked.folder, 'node_modules/attachcheck/dist/main.js')];
  const fromSources = () => ['--import', 'tsx', 'main.ts'];

  test.each([
    ['the package', 'attachcheck', fromPackage] as const,
    ...(THOROUGH ? [['the sources', 'npm run check --', fromSources] as const] : []),
  ])('%s', (_, name, program) => {
    const own = join(unpacked.folder, 'own.ts');
    writeFileSync(own, OWN);
    const line = [
      '--workers',
      THOROUGH ? '2' : '1',
      '--no-save',
      '--law',
      'mine/no-client-ends',
      '--kernel',
      'mine',
    ];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...program(), 'explore', '--with', own, '--only', 'register f1, register f1', ...line],
      { cwd: TOP, encoding: 'utf8' },
    );
    expect(stderr).not.toContain('attachcheck: ');
    expect(status).toBe(EXIT.BROKEN);
    expect(stdout).toContain('expected   no client ends');
    expect(stdout).toContain(`${name} --with ${own} `);
  });
});

/** Whether the package has a file or a folder. */
function isThere(path: string): boolean {
  return existsSync(join(unpacked.folder, 'node_modules/attachcheck', path));
}

test('the package holds what its documents link to', () => {
  const documents = sources('.md').filter(({ path }) =>
    /^(README|CHANGELOG|docs\/.*|examples\/.*)\.md$/.test(path),
  );
  const links = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
      .filter(([, link]) => !/^[a-z]+:/.test(link!))
      .map(([, link]) => [path, normalize(join(path, '..', link!)).replace(/\/$/, '')] as const),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(([path, link]) => !isThere(path) || !isThere(link))).toEqual([]);
});

test('the package holds the files that its package.json names', () => {
  const { bin, exports } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')) as Leads;
  expect([bin.attachcheck, exports['.'].default].filter((path) => !isThere(path))).toEqual([]);
});

test.runIf(THOROUGH)('the package holds no tests', () => {
  expect(unpacked.files!.filter((path) => /\.test\.|node_modules/.test(path))).toEqual([]);
  expect(unpacked.files).toContain('dist/main.js');
});

interface Leads {
  readonly bin: { readonly attachcheck: string };
  readonly exports: { readonly '.': { readonly default: string } };
}
