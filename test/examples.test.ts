import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('an example, with the package as it is published', () => {
  test('judges two sequences', () => {
    const { stdout, stderr, status } = started('sequence');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^after a direct call: answers 0, 0\n {2}\d+ laws hold\n {2}step 4 breaks ftrace\/probes-fire-exactly-once: .* \(kprobe-is-registered-and-dead\)\nafter a program: answers 0, 0, 0\n {2}\d+ laws hold\n$/,
    );
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
    expect(stdout).toContain('npx attachcheck --with hasty.ts --law trampoline/reference-counts-are-exact');
  });

  test.runIf(THOROUGH)('judges an image from a file, and the same with a byte changed', () => {
    const { stdout, stderr, status } = started('image');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      `83 bytes, calls prog#1, f
  holds on 2 paths
83 bytes, calls prog#1
  trampoline/stores-stay-in-the-frame: it stores over its return address
`,
    );
  });
});

test('the package holds what its documents link to', () => {
  const { files } = unpacked;
  const documents = sources('.md').filter(({ path }) =>
    /^(README|CHANGELOG|docs\/.*|examples\/.*)\.md$/.test(path),
  );
  const links = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
      .filter(([, link]) => !/^[a-z]+:/.test(link!))
      .map(([, link]) => [path, normalize(join(path, '..', link!)).replace(/\/$/, '')] as const),
  );
  expect(links.length).toBeGreaterThan(100);
  const isThere = (link: string) => files.some((file) => file === link || file.startsWith(`${link}/`));
  expect(links.filter(([path, link]) => !files.includes(path) || !isThere(link))).toEqual([]);
});

test('the package holds what its package.json leads to, and no tests', () => {
  const { files } = unpacked;
  const { bin, exports } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')) as Leads;
  for (const path of [bin.attachcheck, exports['.'].default]) expect(files).toContain(path.replace('./', ''));
  expect(files.filter((path) => /\.test\.|node_modules/.test(path))).toEqual([]);
});

interface Leads {
  readonly bin: { readonly attachcheck: string };
  readonly exports: { readonly '.': { readonly default: string } };
}
