import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH } from '../../counterexamples/text.ts';
import { attachcheck, words } from '../../test/console.ts';
import { EXAMPLES } from './examples.ts';

const COMMANDS = Object.keys(EXAMPLES).filter((name) => name !== 'attachcheck');

describe('help', () => {
  test('is a command, and says what --help says', async () => {
    const [help, option] = await Promise.all([attachcheck(['help']), attachcheck(['--help'])]);
    expect(help).toEqual(option);
    expect(help.exit).toBe(EXIT.HELD);
    for (const name of COMMANDS) expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  test.each(COMMANDS)('of %s ends with an example or two, of options that it has', async (name) => {
    const { exit, stdout } = await attachcheck(['help', name]);
    expect(exit).toBe(EXIT.HELD);
    const [own = '', shown = ''] = stdout.split('\nExamples:\n');
    const lines = shown.trimEnd().split('\n');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
    expect(lines.map((line) => line.trim())).toEqual(
      EXAMPLES[name]?.map((line) => `npm run check -- ${line}`),
    );
    for (const line of EXAMPLES[name] ?? []) {
      const [command, ...rest] = words(line);
      expect(command).toBe(name);
      for (const option of rest.filter((word) => word.startsWith('--'))) {
        const inGlobal = (await attachcheck(['--help'])).stdout.includes(option);
        expect([option, own.includes(option) || inGlobal]).toEqual([option, true]);
      }
    }
  });

  test('of what is no command is refused with the one that was meant', async () => {
    const { exit, stderr } = await attachcheck(['help', 'matrx']);
    expect([exit, stderr]).toEqual([
      EXIT.USAGE,
      'attachcheck: matrx is neither a command nor a file; did you mean matrix?\n',
    ]);
  });
});

describe('what commander refuses is one sentence, and an object with --json', () => {
  test.each([
    [['--sed', '3', '--json'], "unknown option '--sed'; did you mean --seed?"],
    [['cost', '--json'], "missing required argument 'file'"],
    [['compare', 'x', '--json'], "too many arguments for 'compare'. Expected 0 arguments but got 1."],
    [['explore', 'a', 'b', '--json'], "too many arguments for 'explore'. Expected 1 argument but got 2."],
    [['matrix', '--kernl', '6.1', '--json'], "unknown option '--kernl'; did you mean --kernel?"],
    [['compare', '--format', 'json', '--frob'], "unknown option '--frob'"],
  ])('%j', async (args, sentence) => {
    const { exit, stdout, stderr } = await attachcheck(args);
    expect([exit, stderr]).toEqual([EXIT.USAGE, `attachcheck: ${sentence}\n`]);
    expect(JSON.parse(stdout)).toEqual({ exit, error: sentence });
  });

  test.each([
    ['abi', 'x'],
    ['refine', '--all', 'x'],
    ['matrix', 'kprobe', 'kprobe', 'kprobe'],
    ['stubs', 'ptr', 'x'],
    ['explain', 'a.calls', 'x'],
    ['image', 'a', 'x'],
  ])('%s refuses arguments that it has no use for', async (...args) => {
    const { exit, stdout } = await attachcheck(args);
    expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
  });
});
