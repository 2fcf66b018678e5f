import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../conformance/files.ts';
import { attachcheck } from './console.ts';
import { sources, TOP } from './sources.ts';

const EXAMPLES = new Map(
  [...sources('docs/json.md')[0]!.text.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(([, name, text]) => [
    name!,
    JSON.parse(text!),
  ]),
);

/**
 * What is different between the shapes of two values: fields that one has and the other has not, and types. `null`
 * stands for anything, an empty list for any list, and objects whose keys are data are compared by their values.
 */
function shapeDifferences(example: unknown, real: unknown, path = ''): string[] {
  if (example === null || real === null) return [];
  if (Array.isArray(example) && Array.isArray(real))
    return example.length === 0
      ? []
      : real.flatMap((item) => shapeDifferences(example[0], item, `${path}[]`));
  if (typeof example !== typeof real || Array.isArray(example) !== Array.isArray(real))
    return [`${path}: ${typeof example} in the document, ${typeof real} in the output`];
  if (typeof example !== 'object') return [];
  const [documented, printed] = [example as Record<string, unknown>, real as Record<string, unknown>];
  if (/\.(refusals|known)$/.test(path) && !Array.isArray(example))
    return Object.values(printed).flatMap((value) =>
      shapeDifferences(Object.values(documented)[0], value, path),
    );
  const keys = new Set([...Object.keys(documented), ...Object.keys(printed)]);
  return [...keys].flatMap((key) => {
    if (!(key in printed)) return [`${path}.${key}: documented, and not printed`];
    if (!(key in documented)) return [`${path}.${key}: printed, and not documented`];
    return shapeDifferences(documented[key], printed[key], `${path}.${key}`);
  });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
  const record = JSON.parse(
    readText(join(TOP, 'conformance/recordings/trampolines.jsonl.gz')).split('\n')[0]!,
  );
  const named = Object.entries<string>(record.symbols).map(([at, name]) => [
    at,
    name.replace(/^bpf_prog.*/, 'prog#1'),
  ]);
  writeFileSync(join(folder, 'image'), record.image_hex);
  writeFileSync(join(folder, 'broken'), record.image_hex.replace('488945f8', '48894508'));
  writeFileSync(
    join(folder, 'symbols'),
    JSON.stringify({
      image: record.image_addr,
      function: record.func_addr,
      symbols: Object.fromEntries(named),
    }),
  );
  const [sequence = ''] = readText(join(TOP, 'conformance/recordings/sequences.jsonl.gz')).split('\n');
  const doctored = sequence.replace('{"h":"body"', '{"h":"repl"');
  writeFileSync(join(folder, 'attach'), `${sequence}\n${doctored}\n${sequence.slice(0, 80)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const TRACE = 'counterexamples/corpus/trampoline/only-moves-arguments.null-argument-shortcut.trace';

describe('--json prints what is documented', () => {
  test.each([
    ['error', ['--law', 'nothing']],
    ['check', ['--cases', '500', '--scenarios', '1']],
    ['search', ['--planted', 'r9-not-restored']],
    ['search', ['--law', 'trampoline/stack-is-aligned', '--cases', '300']],
    ['images', ['images']],
    ['sequences', ['sequences', 'attach']],
    ['abi', ['abi', '--sig', 'u64 x9 -> u64', '--kinds', 'fentry, fexit']],
    ['abi', ['abi', '--sig', 'u64 x13 -> u64', '--kinds', 'fentry']],
    ['places', ['abi', '--sig', 'u64, u128', '--sig', 'u64 x13 -> s16b', '--arch', 'arm64']],
    ['sharing', ['abi', '--planted', 'plans-compared-by-length']],
    [
      'image',
      ['image', 'image', '--symbols', 'symbols', '--sig', '-> u64', '--kinds', 'fentry', '--kernel', '6.1'],
    ],
    ['explore', ['explore', '--planted', 'no-sync-after-int3']],
    ['random', ['explore', '--random', '40', '--planted', 'kprobe-is-not-waited-for']],
    ['replay', ['replay', TRACE]],
    ['compare', ['compare', '--n', '1,38', '--kernel', '6.12', '--designs', 'global, tracing multi']],
    ['refine', ['refine', 'one by one', 'tracing multi']],
    ['matrix', ['matrix', 'kprobe', 'kprobe.post']],
    ['why', ['why', 'EBUSY', 'docs/examples/why-busy.calls']],
    ['matrix', ['matrix', 'ops', 'kprobe', '--planted', 'tramp-survives-a-second-ops', '--kernel', '6.12']],
    ['lattice', ['refine', '--all', '--operations', '1']],
    ['list', ['--list']],
    ['explain', ['explain', 'commands/explain/examples/nine-arguments.calls']],
    ['cost', ['cost', 'commands/cost/example.json', '--kernel', '7.2']],
    ['stubs', ['stubs']],
    ['stub', ['stubs', 'ptr, ptr, u32']],
  ])('%s: %j', async (name, args) => {
    const inFolder = args.map((arg, i) =>
      /^(image|broken|symbols|attach)$/.test(arg) && i > 0 ? join(folder, arg) : arg,
    );
    const { exit, stdout } = await attachcheck([...inFolder, '--json']);
    const printed = JSON.parse(stdout);
    expect(shapeDifferences(EXAMPLES.get(name), printed)).toEqual([]);
    expect(printed.exit).toBe(exit);
  });

  test('every example of the document is printed by some command', () => {
    expect([...EXAMPLES.keys()].sort()).toEqual([
      'abi',
      'check',
      'compare',
      'cost',
      'error',
      'explain',
      'explore',
      'image',
      'images',
      'lattice',
      'list',
      'matrix',
      'places',
      'random',
      'refine',
      'replay',
      'search',
      'sequences',
      'sharing',
      'stub',
      'stubs',
      'why',
    ]);
  });

  test('a field more, a field less and another type are told', () => {
    expect(shapeDifferences({ a: 1, b: [{ c: '' }] }, { a: '1', b: [{ c: '' }, { d: '' }] })).toEqual([
      '.a: number in the document, string in the output',
      '.b[].c: documented, and not printed',
      '.b[].d: printed, and not documented',
    ]);
  });
});
