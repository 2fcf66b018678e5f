import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { merged, SHARDS, sharded, shardPath } from '../../test/shards.ts';
import { WrongIn } from '../../test/wrong-kernel.ts';
import { MACHINES } from '../kernel/compared-job.ts';

/** Makes a machine in place of each kernel that would be booted; those that were made. */
let machine: () => WrongIn;
const made: WrongIn[] = [];
vi.spyOn(MACHINES, 'of').mockImplementation(() => {
  made.push(machine());
  return made.at(-1)!;
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-compared-'));
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  made.length = 0;
  machine = () => new WrongIn(() => false);
});

const WORDS = ['kernel', '6.12', '--runs', '20', '--seed', '7'];

const damages = (name: string) => name === 'unregister_kprobe';
const KERNELS = {
  'a kernel without a difference': { isWrong: () => false, exit: EXIT.HELD },
  'a kernel with one in many histories': {
    isWrong: (name: string) => name === 'register_kprobe',
    exit: EXIT.BROKEN,
  },
  'a kernel with one in a late history': {
    isWrong: (name: string) => name === 'register_kretprobe',
    exit: EXIT.BROKEN,
  },
} as const;

describe.each(Object.entries(KERNELS))('%s', (name, { isWrong, exit }) => {
  test.each(SHARDS)('%i shards are printed as one run, without a machine', async (of) => {
    machine = () => new WrongIn(isWrong, damages);
    const words = [...WORDS, '--no-save'];
    const whole = await attachcheck(words);
    expect(whole.exit).toBe(exit);
    const own = join(folder, `${name} ${of}`);
    const exits = await sharded(own, words, of);
    expect(exits.includes(EXIT.BROKEN)).toBe(exit === EXIT.BROKEN);
    const asJson = await attachcheck([...words, '--json']);
    const { boots } = made.at(-1)!;
    expect(JSON.parse(asJson.stdout)).toMatchObject({ boots });
    expect(boots).toBeGreaterThan(2);
    made.length = 0;
    expect(await attachcheck(['merge', own, '--no-save'])).toEqual(whole);
    expect(await attachcheck(['merge', own, '--no-save', '--json'])).toEqual(asJson);
    expect(made).toEqual([]);
  });
});

describe('a difference that several shards have found', () => {
  test('is printed and saved by each, and by merge the first one as one run does', async () => {
    machine = () => new WrongIn((name) => name === 'register_kprobe');
    const several = join(folder, 'several');
    const { exits } = await merged(several, [...WORDS, '--no-save'], 3);
    expect(exits.filter((exit) => exit === EXIT.BROKEN).length).toBeGreaterThan(1);
    const number = 1 + exits.lastIndexOf(EXIT.BROKEN);
    const { stdout } = await attachcheck([
      ...[...WORDS, '--shard', `${number}/3`, '--shard-file', join(folder, 'one.json')],
      ...['--save', join(folder, 'of-shard')],
    ]);
    expect(stdout).toMatch(/^✗ 6\.12 and the model differ at call 1: errno\n/);
    expect(stdout).toMatch(/\n✗ 1 difference from the model\n/);
    const saved = async (words: readonly string[]) => {
      const to = join(folder, 'saved');
      rmSync(to, { recursive: true, force: true });
      const { stdout: text } = await attachcheck([...words, '--save', to]);
      const own = join(to, 'kernel');
      const files = readdirSync(own).map((file) => [file, readFileSync(join(own, file), 'utf8')]);
      expect(files).toHaveLength(1);
      return [text, files];
    };
    expect(await saved(['merge', several])).toEqual(await saved(WORDS));
  });
});

describe('a shard of histories', () => {
  test('runs every n-th', async () => {
    const path = join(folder, 'part.json');
    const { stdout } = await attachcheck([...WORDS, '--shard', '3/16', '--shard-file', path, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'shard', exit: 0, shard: '3/16', parts: 2 });
  });

  test('that is missing is named, with the command that runs it', async () => {
    const own = join(folder, 'missing');
    await sharded(own, [...WORDS, '--no-save'], 2);
    rmSync(shardPath(own, 2, 2));
    const { exit, stdout } = await attachcheck(['merge', own]);
    expect(stdout).toMatch(/^\? missing +2\/2\n/);
    expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(
      `npm run check -- ${WORDS.join(' ')} --no-save --shard 2/2`,
    );
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('of verdicts in a format is refused: the command has none', async () => {
    const own = join(folder, 'format');
    await sharded(own, WORDS, 1);
    const { exit, stderr } = await attachcheck(['merge', own, '--format', 'tap']);
    expect([exit, stderr]).toEqual([EXIT.USAGE, expect.stringContaining('--format tap is for verdicts')]);
  });

  test.each([
    [['6.12', 'a.trace'], '--shard is for drawn histories, and not for a trace'],
    [['6.12', '--known'], '--shard is for drawn histories, and not for --known'],
    [['6.12', '--schedule'], '--shard is for drawn histories, and not for --schedule'],
    [['setup', '6.12'], '--shard is for drawn histories, and not for setup'],
    [['6.12', '--seed', 'random'], '--seed random is another seed on each machine'],
    [['5.4'], '5.4'],
    [['--tree', '.', '--shard-file', 'a'], 'shards of your own kernel are not merged'],
  ])('of %j is refused in one sentence', async (words, sentence) => {
    const { exit, stderr } = await attachcheck(['kernel', ...words, '--shard', '1/2']);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(made).toEqual([]);
  });
});
