import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import type { MergedRun } from '../../test/shards.ts';
import { merged as mergedIn, SHARDS } from '../../test/shards.ts';
import { sources } from '../../test/sources.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { shardNamed } from './run-shard.ts';
import { worksOn } from './shard.ts';
import { withOutput, wordsOfCommand } from './words.ts';

const JSON_PAGE = sources('docs/json.md')[0]!.text;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-shard-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function merged(name: string, words: readonly string[], of: number, ...options: readonly string[]) {
  return mergedIn(join(folder, name), words, of, ...options);
}

const SEARCHES = {
  'sequences that hold': [
    '--law',
    'ftrace/call-sites-match-ops',
    '--kernel',
    '6.12',
    '--sequences',
    '60',
    '--seed',
    '3',
  ],
  'sequences of several kernels': ['--law', 'ftrace/call-sites-match-ops', '--sequences', '40'],
  'sequences of a planted bug': [
    '--planted',
    'site-keeps-its-trampoline',
    '--sequences',
    '400',
    '--seed',
    '5',
  ],
  'images that hold': ['--law', 'trampoline/stack-is-aligned', '--cases', '750', '--seed', '4'],
  'images of a planted bug': ['--planted', 'rbx-not-restored', '--cases', '3000', '--seed', '2'],
} as const;

describe.each(someOf(Object.entries(SEARCHES), 2))('%s', (name, search) => {
  const words = [...search, '--no-save'];
  const most = SHARDS.at(-1)!;
  /** Searched once for all forms; the form of a shard is not that of the merge. */
  let shards: MergedRun;
  beforeAll(async () => {
    shards = await merged(name, [...words, '--verbose'], most);
  });

  test.each(SHARDS)('%i shards are printed as one run', async (of) => {
    const whole = await attachcheck(words);
    const { exits, exit, stdout } = of === most ? shards : await merged(`${name} ${of}`, words, of);
    expect(stdout).toBe(whole.stdout);
    expect(exit).toBe(whole.exit);
    expect(exits.includes(EXIT.BROKEN)).toBe(exit === EXIT.BROKEN);
  });

  test.each(['--json', '--verbose'])('with %s', async (form) => {
    const whole = await attachcheck([...words, form]);
    const { stdout } = await attachcheck(['merge', shards.own, '--no-save', form]);
    expect(stdout).toBe(whole.stdout);
  });
});

describe('a shard', () => {
  const WORDS = ['--law', 'trampoline/stack-is-aligned', '--cases', '1', '--no-save'];

  test('that is missing is named, and leaves the question open', async () => {
    const { own } = await merged('missing', WORDS, 3);
    rmSync(join(own, 'attachcheck-2-of-3.json'));
    const { exit, stdout } = await attachcheck(['merge', own]);
    expect(stdout).toMatch(/^\? missing +2\/3\n/);
    expect(stdout).toContain('--shard 2/3');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test.each([
    [
      'a damaged content',
      (text: string) => text.replace(/("content": ".{40})./, '$1_'),
      'its checksum differs',
    ],
    ['another number', (text: string) => text.replace('"1/2"', '"2/2"'), 'its checksum differs'],
    [
      'other code',
      (text: string) => text.replace(/"code": "./, '"code": "x'),
      'another version of the program',
    ],
    ['a later form', (text: string) => text.replace('shard 2"', 'shard 9"'), 'not a shard of this version'],
    ['no field', (text: string) => text.replace('"content"', '"contents"'), 'it is no shard'],
    ['half of it', (text: string) => text.slice(0, text.length / 2), 'it is no shard'],
  ])('with %s is refused in one sentence', async (what, change, sentence) => {
    const { own } = await merged(what, WORDS, 2);
    const path = join(own, 'attachcheck-1-of-2.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const { exit, stdout, stderr } = await attachcheck(['merge', own]);
    expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
    expect(stderr).toContain(`${path}: `);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each(['shard', 'missing'])('has the JSON of docs/json.md: %s', async (name) => {
    const [, shape = ''] = new RegExp(`^\`\`\`json ${name}\n(.*?)^\`\`\`$`, 'ms').exec(JSON_PAGE) ?? [];
    const path = join(folder, 'attachcheck-1-of-2.json');
    const shard = await attachcheck([...WORDS, '--shard', '1/2', '--shard-file', path, '--json']);
    const { stdout } = name === 'shard' ? shard : await attachcheck(['merge', path, '--json']);
    expect(shapeDifferences(JSON.parse(shape), JSON.parse(stdout))).toEqual([]);
    expect(schemaProblems(name, JSON.parse(stdout))).toEqual([]);
  });

  test('of another command is refused', async () => {
    const { own } = await merged('first', WORDS, 2);
    const other = await merged('second', [...WORDS, '--seed', '2'], 2);
    const [first, second] = [
      join(own, 'attachcheck-1-of-2.json'),
      join(other.own, 'attachcheck-2-of-2.json'),
    ];
    const { exit, stderr } = await attachcheck(['merge', first, second]);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(`${second}: this shard is of another command: attachcheck --law`);
  });

  test('that cannot be written is named, and changes no verdict', async () => {
    const broken = [
      ...SEARCHES['images of a planted bug'],
      '--shard',
      '1/1',
      '--shard-file',
      '/dev/null/x',
      '--no-save',
    ];
    const { exit, stdout } = await attachcheck(broken);
    expect(stdout).toMatch(/\? shard 1\/1 +\/dev\/null\/x cannot be written: E/);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test.each([
    [['--shard', '0/3'], '--shard 0/3 is no shard'],
    [['--shard', '4/3'], '--shard 4/3 is no shard'],
    [['--shard', '1'], '--shard 1 is no shard'],
    [['--shard', '1/2', '--seed', 'random'], '--seed random is another seed on each machine'],
    [['--shard', '1/2', '--kernel', 'batch', '--first'], '--first ends a run at its first breach'],
    [['merge', 'gone.json'], 'gone.json: there is no such file'],
    [['merge', 'docs'], 'docs: there is no attachcheck-1-of-16.json'],
  ])('%j is refused in one sentence', async (words, sentence) => {
    const { exit, stdout, stderr } = await attachcheck(words);
    expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
    expect(stderr).toContain(sentence);
  });
});

test('each part belongs to one shard, whatever their number', () => {
  const parts = Array.from({ length: 500 }, (_, i) => `sequences of 6.12, ${i}`);
  for (const of of [1, 3, 16]) {
    const shards = Array.from({ length: of }, (_, i) => shardNamed(`${i + 1}/${of}`));
    for (const part of parts) expect(shards.filter((shard) => worksOn(shard, part))).toHaveLength(1);
    for (const shard of shards)
      expect(parts.filter((part) => worksOn(shard, part)).length).toBeGreaterThan(500 / of / 2);
  }
});

test('shards of the check of a design are printed as one run', async () => {
  const bounds = ['--sequences', THOROUGH ? '40' : '10', '--scenarios', THOROUGH ? '2' : '1', '--no-save'];
  const words = ['--kernel', 'one by one', ...bounds];
  const whole = await attachcheck(words);
  for (const of of SHARDS) {
    const { exit, stdout } = await merged(`design ${of}`, words, of);
    expect(stdout).toBe(whole.stdout);
    expect(exit).toBe(whole.exit);
  }
});

test.runIf(THOROUGH)('the differences of a design are a part', async () => {
  const words = ['--kernel', 'batch', '--sequences', '20', '--scenarios', '1', '--no-save'];
  const whole = await attachcheck(words);
  const { exit, stdout } = await merged('differences', words, 3);
  expect([stdout, exit]).toEqual([whole.stdout, whole.exit]);
});

test('all kernels of a search are shared', async () => {
  const words = ['--law', 'ftrace/call-sites-match-ops', '--sequences', '40', '--json'];
  const file = join(folder, 'of-two.json');
  const parts: number[] = [];
  for (const shard of ['1/2', '2/2']) {
    const { stdout } = await attachcheck([...words, '--shard', shard, '--shard-file', file]);
    parts.push((JSON.parse(stdout) as { readonly parts: number }).parts);
  }
  // Two parts of each of three kernels.
  expect(parts[0]! + parts[1]!).toBe(6);
});

test('the words of a command are those that its shards have in common', () => {
  const words = ['--seed', '3', '--shard', '1/2', '--json', '--shard-file=a', '--no-save'];
  expect(wordsOfCommand(words)).toEqual(['--seed', '3', '--no-save']);
  expect(withOutput(['--seed', '3'], { verbose: true, format: 'tap' })).toEqual([
    '--seed',
    '3',
    '--verbose',
    '--format',
    'tap',
  ]);
});
