import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sources, TOP } from './sources.ts';

const read = (path: string) => readFileSync(join(TOP, path), 'utf8');

/** The instructions of the container file, in its order; a line that ends in `\` continues. */
const INSTRUCTIONS = read('Containerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', ...args] = line.split(/\s+/);
    return { name, args };
  });

const IGNORED = patternsIn(read('.dockerignore'));

/** Patterns from the top: one of a folder has all that is below it. */
function patternsIn(text: string): RegExp[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const inside = line
      .replaceAll('.', '\\.')
      .replaceAll('**/', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('\0', '(?:.*/)?');
    return new RegExp(`^${inside}(?:/|$)`);
  });
}

const isIgnored = (path: string) => IGNORED.some((pattern) => pattern.test(path));
const argumentsOf = (name: string) =>
  INSTRUCTIONS.filter((instruction) => instruction.name === name).map(({ args }) => args);
const PATHS = sources('').map(({ path }) => path);

describe('the container file', () => {
  test('copies files that are there and that are not ignored', () => {
    const copied = argumentsOf('COPY')
      .filter(([first]) => !first?.startsWith('--from='))
      .flatMap((args) => args.slice(0, -1));
    expect(copied).toContain('package-lock.json');
    for (const path of copied.filter((source) => source !== '.')) {
      expect(PATHS).toContain(path);
      expect(isIgnored(path)).toBe(false);
    }
  });

  test('copies all that the package is made of, and no test', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const { include, exclude } = JSON.parse(read('tsconfig.build.json')) as Record<
      'include' | 'exclude',
      string[]
    >;
    expect(exclude).toContain('**/*.test.ts');
    const needed = ['README.md', 'LICENSE', 'tsconfig.json', 'tsconfig.build.json', ...include, ...files];
    const missing = needed
      .filter((path) => path !== 'dist' && !path.startsWith('!'))
      .filter((path) => isIgnored(path) || !PATHS.some((own) => own === path || own.startsWith(`${path}/`)));
    expect(missing).toEqual([]);
    expect(PATHS.filter((path) => /\.test\.ts$/.test(path) && !isIgnored(path))).toEqual([]);
    expect(
      ['node_modules/a', 'dist/main.js', '.git/HEAD', 'attachcheck-0.1.0.tgz'].filter(isIgnored).length,
    ).toBe(4);
  });

  test('has a Node that the package runs on: the newest of its major version', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const [, major] = /^>=(\d+)\./.exec(engines.node) ?? [];
    const images = argumentsOf('FROM').map(([image]) => image);
    expect(images).toEqual(images.map(() => `docker.io/library/node:${major}-slim`));
    expect(images.length).toBe(2);
  });

  test('ends in an image that starts the program, by a user without rights', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> };
    const last = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ name }) => name === 'FROM'));
    const of = (name: string) => last.findLast((instruction) => instruction.name === name)?.args.join(' ');
    expect(JSON.parse(of('ENTRYPOINT') ?? '')).toEqual(Object.keys(bin));
    expect([of('USER'), of('WORKDIR')]).toEqual(['node', '/work']);
    const order = last.map(({ name }) => name);
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
  });
});
