import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../conformance/files.ts';
import { EXIT } from '../counterexamples/answer.ts';
import { attachcheck, withWholeCommands } from './console.ts';
import { firstRecording } from './recorded.ts';
import { scratch } from './scratch.ts';
import { TOP } from './sources.ts';

const { path: pathOf, file } = scratch();

const TRACE = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';

describe('exit codes and streams', () => {
  test('what holds ends with 0, the result on stdout and nothing on stderr', async () => {
    const { exit, stdout, stderr } = await attachcheck([
      '--law',
      'trampoline/stack-is-aligned',
      '--cases',
      '500',
    ]);
    expect(exit).toBe(EXIT.HELD);
    expect(stdout).toMatch(/^✓ images +500 drawn, \d+ images, 1 law, all argument values\n/);
    expect(stderr).toBe('');
  });

  test('a law on sequences and on leftovers of interleavings is checked on sequences', async () => {
    const law = 'ftrace/call-sites-match-ops';
    const line = ['--law', law, '--kernel', '6.12', '--sequences', '20'];
    const { exit, stdout } = await attachcheck(line);
    expect(exit).toBe(EXIT.HELD);
    expect(stdout).toMatch(/^✓ sequences +20 drawn, \d+ actions, 1 law +6\.12\n/);
  });

  test('a planted bug ends with 1 and a report that ends with a line to paste', async () => {
    const { exit, stdout } = await attachcheck(['--planted', 'rbx-not-restored']);
    expect(exit).toBe(EXIT.BROKEN);
    expect(withWholeCommands(stdout)).toMatch(
      / {2}search {5}npm run check -- --law .* --planted rbx-not-restored --seed 1\n/,
    );
  });

  test('a law that was never exercised is vacuous, and ends with 4', async () => {
    const { exit, stdout } = await attachcheck([
      '--law',
      'trampoline/session-cookies-are-separate',
      '--cases',
      '1',
      '--seed',
      '1',
    ]);
    expect(stdout).toContain('? vacuous          trampoline/session-cookies-are-separate\n');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('a planted bug that is not found ends with 4', async () => {
    const { exit, stdout } = await attachcheck(['--planted', 'padding-forgotten', '--cases', '0']);
    expect(stdout).toContain('? planted bug      padding-forgotten was not found\n');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('the same seed prints the same bytes, another seed others', async () => {
    const run = (seed: string) =>
      attachcheck(['--cases', '400', '--law', 'trampoline/image-is-pinned', '--seed', seed]);
    const [first, again, other] = [await run('3'), await run('3'), await run('4')];
    expect(first.stdout).toBe(again.stdout);
    expect(first.stdout).not.toBe(other.stdout);
  });

  test('colour is only where it is asked for, and says nothing that the text does not', async () => {
    const plain = (await attachcheck(['replay', TRACE])).stdout;
    const colour = (await attachcheck(['replay', TRACE], { coloured: true })).stdout;
    const code = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
    expect(plain).not.toMatch(code);
    expect(colour).toMatch(code);
    expect(colour.replace(code, '')).toBe(plain);
  });

  describe('a counterexample', () => {
    const BUG = ['--planted', 'null-argument-shortcut'];
    const NAME = 'trampoline/arguments-are-only-copied.null-argument-shortcut.trace';
    const replays = (text: string) =>
      [...withWholeCommands(text).matchAll(/ replay (\S+)$/gm)].map(([, path]) => path);

    test('that is in the corpus is named there, and not saved again', async () => {
      const { stdout, stderr } = await attachcheck(BUG, { results: pathOf('none') });
      expect(new Set(replays(stdout))).toEqual(new Set([TRACE]));
      expect(stderr).toBe('');
    });

    test('that is new is saved, and replays from where the report says that it is', async () => {
      const results = pathOf('results');
      const line = [...BUG, '--seed', '2'];
      const { stdout, stderr } = await attachcheck(line, { results });
      const saved = join(results, NAME);
      expect(stderr).toBe(`saved ${saved}\n`);
      expect(new Set(replays(stdout))).toEqual(new Set([saved]));
      expect(withWholeCommands(stdout)).toContain(
        [
          '\n✗ the planted bug was found: null-argument-shortcut · seed 2',
          `  saved            ${saved}`,
          `  next             npm run check -- replay ${saved}\n`,
        ].join('\n'),
      );
      expect(replays(readFileSync(saved, 'utf8'))).toEqual([saved]);
      expect((await attachcheck(['replay', saved])).stdout).toContain('same report as saved');
      expect((await attachcheck(line, { results })).stderr).toBe('');
      const other = await attachcheck([...BUG, '--seed', '3', '--save', results, '--json']);
      expect(JSON.parse(other.stdout).counterexample.path).toBe(saved.replace('.trace', '.2.trace'));
    });

    test('that is not saved has no replay command', async () => {
      const { stdout } = await attachcheck([...BUG, '--seed', '2', '--no-save'], { results: pathOf('none') });
      expect(replays(stdout)).toEqual([]);
      expect(withWholeCommands(stdout)).toContain(
        '\n✗ the planted bug was found: null-argument-shortcut · seed 2\n  next             npm run check -- --planted null-argument-shortcut --seed 2\n',
      );
    });
  });
});

describe('bad input is one sentence that names the thing and the place', () => {
  test.each([
    [
      ['frobnicate'],
      'frobnicate is neither a command nor a file; there are images, sequences, abi, image, replay, explain, explore, exhaust, near, compare, cost, refine, matrix, why, history, stubs, bugs',
    ],
    [['--frobnicate'], "unknown option '--frobnicate'"],
    [['--law', 'nothing'], 'there is no law nothing; --list names them all'],
    [
      ['--law', 'probes-fire-exactly-onc'],
      'no law probes-fire-exactly-onc; did you mean probes-fire-exactly-once?',
    ],
    [['--planted', 'nothing'], 'there is no planted bug nothing; --list names them all'],
    [['--seed', 'one'], '--seed one is not a whole number from 0 to 4294967295'],
    [['--cases', '-1'], '--cases -1 is not a whole number from 0 to 1000000000'],
    [
      ['--law', 'task/no-torn-instruction'],
      'task/no-torn-instruction belongs to another command (interleavings): npm run check -- explore --law task/no-torn-instruction',
    ],
    [
      ['--law', 'nobody-waits-in-a-circle'],
      'nobody-waits-in-a-circle belongs to another command (interleavings): npm run check -- explore --law task/no-deadlock',
    ],
    [['explore', '--only', 'fly f1'], 'there is no operation "fly f1"; there are attach, detach, '],
    [['explore', '--tasks', '1'], '--tasks 1 is not a whole number from 2 to 8'],
    [['explore', '--cpus', '9'], '--cpus 9 is not a whole number from 1 to 8'],
    [['explore', '--operations', '4'], '--operations 4 is not known; there are 2, 3'],
    [['explore', '--law', 'ftrace/one'], 'there is no law ftrace/one; --list names them all'],
    [['explore', '--resume', 'gone'], 'gone: no such checkpoint'],
    [['explore', '--resume', 'README.md'], 'README.md: not a checkpoint of this version'],
    [['matrix', 'kprobe'], 'matrix takes no mechanism or two, not 1'],
    [['why', 'EBUSY', 'gone.trace'], 'gone.trace: there is no such file'],
    [['replay', 'gone.trace'], 'gone.trace: there is no such file'],
    [['replay', 'model'], 'model: it is a directory'],
    [['abi', '--sig', 'u63 -> u64', '--kinds', 'fentry'], '"u63" in "u63 -> u64" is not a type'],
    [['abi', '--sig', 'u64', '--kinds', 'fancy'], '"fancy" is not a kind of program'],
    [['abi', '--sig', 'u64', '--kinds', 'fentry', '--kernel', '5.4'], '--kernel 5.4 is not known'],
  ])('%j', async (args, sentence) => {
    const { exit, stdout, stderr } = await attachcheck(args);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(exit).toBe(EXIT.USAGE);
  });

  test('with --json the sentence is an object on stdout', async () => {
    const { exit, stdout } = await attachcheck(['--law', 'nothing', '--json']);
    expect(JSON.parse(stdout)).toEqual({ exit, error: 'there is no law nothing; --list names them all' });
  });

  test('damaged recordings are named line by line, the sound ones still compared', async () => {
    const line = firstRecording();
    const path = file(
      'a.jsonl',
      `${line}\n${line.slice(0, 80)}\n${line.replace('"func_addr":', '"fun":')}\n`,
    );
    const { exit, stdout } = await attachcheck(['images', path]);
    expect(stdout).toContain(`✗ ${path}:2: this line is not JSON; is the file cut off?`);
    expect(stdout).toContain(`✗ ${path}:3: field func_addr is missing`);
    expect(stdout).toMatch(/^all +1\/1 +1\/1 +1\/1 /m);
    expect(exit).toBe(EXIT.USAGE);
  });

  test('damaged compressed data is named', async () => {
    const path = file('a.jsonl.gz', Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
    const { exit, stdout } = await attachcheck(['images', path]);
    expect(stdout).toContain(`✗ ${path}: the compressed data is damaged or cut off`);
    expect(exit).toBe(EXIT.USAGE);
  });
});

describe('attach sequences', () => {
  const [line = ''] = readText(join(TOP, 'conformance/recordings/sequences.jsonl.gz')).split('\n');

  test('one that the model replays ends with 0', async () => {
    const { exit, stdout, stderr } = await attachcheck(['sequences', file('b.jsonl', line)]);
    expect(stdout).toMatch(/^all +1\/1 /m);
    expect(stderr).toBe('');
    expect(exit).toBe(EXIT.HELD);
  });

  test('one that it does not ends with 1, the place, and the question to ask again', async () => {
    const path = file('b.jsonl', `${line}\n${line.replace('{"h":"body"', '{"h":"repl"')}\n`);
    const { exit, stdout } = await attachcheck(['sequences', path]);
    expect(stdout).toMatch(/^all +1\/2 /m);
    expect(stdout).toContain(`✗ ${path}:2`);
    expect(stdout).toMatch(/^ {2}question {3}fns=\w+: /m);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test('damaged lines are named, the sound ones still replayed', async () => {
    const strange = line.replace(/"op":"\w+/, '"op":"frob');
    const path = file('b.jsonl', `${line.slice(0, 80)}\n${strange}\n${line}\n`);
    const { exit, stdout } = await attachcheck(['sequences', path, pathOf('gone.jsonl')]);
    expect(stdout).toContain(`✗ ${path}:1: this line is not JSON; is the file cut off?`);
    expect(stdout).toContain(`✗ ${path}:2: field steps.0.op: the recorder has no operation "frob"`);
    expect(stdout).toContain('gone.jsonl: there is no such file');
    expect(stdout).toMatch(/^all +1\/1 /m);
    expect(exit).toBe(EXIT.USAGE);
  });
});
