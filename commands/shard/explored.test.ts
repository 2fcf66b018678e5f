import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WHOLE } from '../../checker/share.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CommandRan } from '../../test/console.ts';
import { attachcheck } from '../../test/console.ts';
import type { MergedRun } from '../../test/shards.ts';
import { merged, SHARDS, sharded, shardPath } from '../../test/shards.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import type { TaskSearch } from '../explore/exploration.ts';
import { startExploring } from '../explore/explore.ts';
import { explorationFor, IN_ONE_WORKER } from '../explore/explore-options.ts';
import { MergedShare, RecordedShare } from './shard.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-explored-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ONLY = ['explore', '--kernel', '6.12', '--only', 'register f1', '--tasks', '2', '--states', '30'];
const EXPLORED = [...ONLY, '--law', 'ftrace/record-counts-match-ops', '--no-save'];
const DRAWN = [
  ...['explore', '--kernel', '7.2', '--random', '5', '--schedules', '3', '--seed', '2'],
  ...['--law', 'ftrace/record-counts-match-ops', '--no-save'],
];
const BROKEN = [
  ...['explore', '--random', '4', '--schedules', '4'],
  ...['--planted', 'no-sync-after-int3', '--no-save'],
];
const IN_DRAWN = 'a planted bug in drawn ones';
const SEARCHES = {
  'built-in scenarios': EXPLORED,
  'drawn scenarios': DRAWN,
  [IN_DRAWN]: BROKEN,
} as const;

const MOST = SHARDS.at(-1)!;

/** The shards of a search, for all that is merged of them. */
const SHARDED = new Map<string, Promise<MergedRun>>();

function shardsOf(name: string, words: readonly string[]): Promise<MergedRun> {
  const run = SHARDED.get(name) ?? merged(join(folder, name), words, MOST);
  SHARDED.set(name, run);
  return run;
}

describe.each(Object.entries(SEARCHES))('%s', (name, words) => {
  let whole: CommandRan;
  beforeAll(async () => {
    whole = await attachcheck(words);
  });

  test.each(SHARDS)('%i shards are printed as one run', async (of) => {
    const { exits, exit, stdout } =
      of === MOST ? await shardsOf(name, words) : await merged(join(folder, `${name} ${of}`), words, of);
    expect(stdout).toBe(whole.stdout);
    expect(exit).toBe(whole.exit);
    expect(exits.includes(EXIT.BROKEN)).toBe(exit === EXIT.BROKEN);
  });
});

test('shards are printed as one run in every format, and save what it saves', async () => {
  const { own, exits } = await shardsOf(IN_DRAWN, BROKEN);
  expect(exits).toContain(EXIT.BROKEN);
  const saves = join(folder, 'found');
  const saved = async (line: readonly string[]) => {
    rmSync(saves, { recursive: true, force: true });
    const { stdout } = await attachcheck([...line, '--save', saves]);
    const [path = ''] = readdirSync(saves, { recursive: true, encoding: 'utf8' }).filter(isTrace);
    return { stdout, path, text: readFileSync(join(saves, path), 'utf8') };
  };
  const words = BROKEN.filter((word) => word !== '--no-save');
  for (const form of [[], ...FORMS])
    expect(await saved(['merge', own, ...form])).toEqual(await saved([...words, ...form]));
});

function isTrace(path: string): boolean {
  return path.endsWith('.trace');
}

const FORMS = someOf(
  [['--json'], ['--verbose'], ...['junit', 'github', 'tap', 'sarif'].map((format) => ['--format', format])],
  6,
);

describe('a breach that several shards have found', () => {
  test('is the one that one run finds first', async () => {
    const search = severalBroken();
    const whole = await answerTo(search, WHOLE);
    for (const of of THOROUGH ? [1, 3] : [3]) {
      const shares = Array.from({ length: of }, (_, i) => new RecordedShare({ number: i + 1, of }));
      const answers: Answer[] = [];
      for (const share of shares) answers.push(await answerTo(search, share));
      expect(answers.filter(({ exit }) => exit === EXIT.BROKEN).length).toBeGreaterThan(of === 1 ? 0 : 1);
      const parts = new Map(shares.flatMap((share) => [...share.parts]));
      expect(await answerTo(search, new MergedShare(parts))).toEqual(whole);
    }
  });
});

/** Scenarios of which most show a planted bug. */
function severalBroken(): TaskSearch {
  const line = { workers: '1', seed: '1', schedules: '20', kernel: '6.12', tasks: '3' };
  const { scenarios } = explorationFor({ ...line, only: 'register f1' });
  return {
    ...explorationFor({ ...line, planted: 'no-sync-after-int3' }),
    scenarios: scenarios.slice(0, 5),
  };
}

async function answerTo(search: TaskSearch, share: typeof WHOLE): Promise<Answer> {
  const job = startExploring(search, { ...IN_ONE_WORKER, share });
  for (;;) {
    const step = await job.next(false);
    if (step.done === true) return step.value;
  }
}

describe('a shard of an exploration', () => {
  test('that is missing is named, with the command that searches it', async () => {
    const { own } = await merged(join(folder, 'missing'), EXPLORED, 3);
    rmSync(shardPath(own, 2, 3));
    const { exit, stdout } = await attachcheck(['merge', own]);
    expect(stdout).toMatch(/^\? missing +2\/3\n/);
    expect(stdout.replaceAll(/ \\\n +/g, ' ')).toContain(
      "npm run check -- explore --kernel 6.12 --only 'register f1'",
    );
    expect(stdout).toContain('--shard 2/3');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('that is damaged, or of another command, is refused', async () => {
    const [damaged, other] = [join(folder, 'damaged'), join(folder, 'other')];
    await sharded(damaged, EXPLORED, 2);
    await sharded(other, DRAWN, 2);
    const foreign = await attachcheck(['merge', shardPath(damaged, 1, 2), shardPath(other, 2, 2)]);
    expect(foreign.exit).toBe(EXIT.USAGE);
    expect(foreign.stderr).toContain('this shard is of another command: attachcheck explore --kernel 7.2');
    const path = shardPath(damaged, 1, 2);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/("content": ".{40})./, '$1_'));
    const refused = await attachcheck(['merge', damaged]);
    expect(refused.exit).toBe(EXIT.USAGE);
    expect(refused.stderr).toContain('its checksum differs');
  });

  test.each([
    [['docs/examples/kretprobe.scenario'], 'docs/examples/kretprobe.scenario is one, for one machine'],
    [['--checkpoint', 'a'], '--shard excludes --checkpoint'],
    [['--resume', 'a'], '--shard excludes --resume'],
    [['--max-time', '9'], '--shard excludes --max-time'],
    [['--random', '3', '--seed', 'random'], '--seed random is another seed on each machine'],
    [['--format', 'tap'], '--format tap is for verdicts, and not for --shard'],
  ])('of %j is refused in one sentence', async (options, sentence) => {
    const { exit, stderr } = await attachcheck(['explore', ...options, '--shard', '1/2']);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
