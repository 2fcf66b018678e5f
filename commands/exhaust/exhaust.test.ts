import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-exhaust-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const KPROBE = [
  'f1 = function(u64 -> u64)',
  'register_kprobe(kprobe#1, f1+0xa)',
  'unregister_kprobe(kprobe#1)',
];

async function exhausted(...words: readonly string[]) {
  const { exit, stdout, stderr } = await attachcheck(['exhaust', ...words, '--no-save']);
  return { exit, stdout, stderr };
}

/** The words that a shell makes of a command. */
function pasted(command: string): string[] {
  const words = command.replaceAll(' \\\n', ' ').match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

async function inJson(...words: readonly string[]) {
  const { stdout } = await exhausted(...words, '--json');
  return JSON.parse(stdout);
}

describe('every sequence of the calls of a file', () => {
  test('is run up to a length, which is printed', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const { exit, stdout } = await exhausted(path, '--depth', '1');
    expect(stdout).toMatch(/^✓ sequences +every sequence of up to 1 of 2 calls, 3 states, 2 moves +6\.12\n/);
    expect(exit).toBe(EXIT.HELD);
  });

  test('ends where no sequence reaches a new state', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const { kernels } = await inJson(path, '--depth', '50');
    expect(kernels).toMatchObject([{ end: 'no state is new', bound: { depth: 50 } }]);
    expect(kernels[0].depth).toBeLessThan(50);
  });

  test('is run with the objects that are named, in any order', async () => {
    const path = fileOf(
      'second.calls',
      'kernel 6.12',
      '',
      'f1 = function(u64 -> u64)',
      'register_kprobe(kprobe#2, f1, post_handler)',
      'register_kprobe(kprobe#1, f1)',
    );
    expect((await inJson(path, '--depth', '1')).kernels).toMatchObject([{ states: 3, moves: 2 }]);
  });

  test('with more states than the bound is inconclusive', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const { exit, stdout } = await exhausted(path, '--wide', '--states', '5');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
    expect(stdout).toContain('? bound            6.12 has more than 5 states\n');
  });

  test('is run in each kernel of a file for all', async () => {
    const path = fileOf('all.calls', 'kernel all', '', ...KPROBE);
    const { kernels } = await inJson(path, '--depth', '2');
    expect(kernels.map(({ kernel }: { kernel: string }) => kernel).sort()).toEqual(['6.1', '6.12', '7.2']);
  });

  test('is run in a design that is asked for', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const { kernels } = await inJson(path, '--depth', '1', '--kernel', '6.12, multiLinks = batch');
    expect(kernels).toMatchObject([{ kernel: '6.12, multiLinks = batch' }]);
  });

  test('has the failures on the way of its calls, where they are asked for', async () => {
    const path = fileOf(
      'ops.calls',
      'kernel 6.12',
      '',
      'f1 = function(u64 -> u64)',
      'register_kprobe(kprobe#1, f1)',
    );
    const [without, withFaults] = [
      await inJson(path, '--depth', '2'),
      await inJson(path, '--depth', '2', '--faults'),
    ];
    expect(withFaults.kernels[0].moves).toBeGreaterThan(without.kernels[0].moves);
  });

  test('that never exercises a law which was named is vacuous', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const law = 'trampoline/extensions-exclude-programs';
    const { exit, stdout } = await exhausted(path, '--law', law);
    expect(stdout).toContain(`? vacuous          ${law}\n`);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });
});

describe('a planted bug', () => {
  const BUG = 'kprobe-in-a-body-stays-armed';

  test('is found by a shortest sequence of the calls of its example', async () => {
    const { exit, stdout } = await exhausted('--planted', BUG);
    expect(exit).toBe(EXIT.BROKEN);
    expect(stdout).toMatch(/^✗ ftrace\/user-counts-match-users /);
    expect(stdout).toContain('\n  2 steps · ');
    expect(stdout).toContain('none shorter breaks a law');
  });

  test('is found in a file of calls, which need be in no order', async () => {
    const [declared, ...calls] = KPROBE;
    const path = fileOf('turned.calls', 'kernel 6.12', '', declared!, ...calls.reverse());
    expect((await exhausted(path, '--planted', BUG)).exit).toBe(EXIT.BROKEN);
  });

  test('has a report whose search, pasted, finds the same, and which replays', async () => {
    const path = fileOf('the calls.calls', ...['kernel 6.12', '', ...KPROBE]);
    const first = await exhausted(path, '--wide', '--planted', BUG, '--depth', '2');
    const [, command = ''] = /\n {2}search {5}npm run check -- ((?:.* \\\n)*.*)\n/.exec(first.stdout) ?? [];
    const words = pasted(command);
    expect(words).toEqual(['exhaust', path, '--wide', '--planted', BUG, '--depth', '2']);
    expect(await attachcheck([...words, '--no-save'])).toEqual(first);
    const saved = join(folder, 'saved');
    await attachcheck([...words, '--save', saved]);
    const [trace = ''] = readdirSync(saved, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.trace'),
    );
    const replayed = await attachcheck(['replay', join(saved, trace)]);
    expect(replayed.exit).toBe(EXIT.BROKEN);
    expect(replayed.stdout).toContain(command.split(' \\\n')[0]!);
  });

  test('that these calls do not show ends with 4', async () => {
    const path = fileOf('call.calls', 'kernel 6.12', '', 'f1 = function(u64 -> u64)', 'task#1 calls f1(0x1)');
    expect((await exhausted(path, '--planted', BUG)).exit).toBe(EXIT.INCONCLUSIVE);
  });
});

test.each([
  [[], 'exhaust needs a file with calls, or --planted with the name of a bug of sequences'],
  [['gone.calls'], 'gone.calls: there is no such file'],
  [['docs/examples/kretprobe.scenario'], 'it is no sequence of calls'],
  [['docs/examples/dead-kprobe.calls', '--depth', '0'], '--depth 0 is not a whole number from 1 to 100'],
  [['docs/examples/dead-kprobe.calls', '--depth', 'x'], '--depth x is not a whole number'],
  [['docs/examples/dead-kprobe.calls', '--law', 'nothing'], 'there is no law on these sequences nothing'],
  [['docs/examples/dead-kprobe.calls', '--kernel', '6.12'], 'kernel 6.12 has no update_ftrace_direct_add()'],
  [['--planted', 'nothing'], 'there is no planted bug of sequences nothing'],
])('%j is refused in one sentence', async (words, sentence) => {
  const { exit, stdout, stderr } = await exhausted(...words);
  expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
