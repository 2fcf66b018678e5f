import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { colouredBy, colouredIn } from './colours.ts';

describe('whether output has colours', () => {
  test.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR, which says nothing', { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR over NO_COLOR', { FORCE_COLOR: '', NO_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['a terminal without colours', { TERM: 'dumb' }, true, false],
    ['a build', { CI: 'true' }, true, false],
  ])('is said by %s', (_, env, isTerminal, coloured) => {
    expect(colouredIn(env, isTerminal)).toBe(coloured);
  });

  test.each([
    [['why', 'EBUSY'], true, true],
    [['--color', 'never', 'why', 'EBUSY'], true, false],
    [['why', 'EBUSY', '--color=always'], false, true],
    [['--color=always', 'why', '--color', 'never'], true, false],
    [['--color', 'auto', 'why'], true, true],
    [['--color', 'auto', 'why'], false, false],
  ])('is said by %s, over the environment', (argv, inEnvironment, coloured) => {
    expect(colouredBy(argv, inEnvironment)).toBe(coloured);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const ESCAPE = /\x1b\[\d+m/g;
const TRACE = 'counterexamples/corpus/known/kprobe-is-registered-and-dead.trace';

describe('--color always', () => {
  test.each([
    [['docs/examples/dead-kprobe.calls']],
    [['replay', TRACE]],
    [['matrix', 'kprobe', 'kprobe.post', '--kernel', '6.12']],
    [['explore', 'docs/examples/kretprobe.scenario']],
    [['--help']],
    [['help', 'why']],
  ])('of %s adds escapes to the text of --color never, and nothing else', async (args) => {
    const always = await attachcheck(['--color', 'always', ...args]);
    const never = await attachcheck([...args, ...(args[0] === 'help' ? [] : ['--color=never'])], {
      coloured: args[0] !== 'help',
    });
    expect(always.stdout).toMatch(ESCAPE);
    expect(always.stdout.replaceAll(ESCAPE, '')).toBe(never.stdout);
    expect(always.exit).toBe(never.exit);
  });

  test.each([
    [['replay', TRACE, '--json']],
    [['replay', TRACE, '--format', 'tap']],
    [['matrix', 'kprobe', 'kprobe.post', '--kernel', '6.12', '--format', 'csv']],
    [['completion', 'zsh']],
  ])('changes no byte of %s, which a program reads', async (args) => {
    const plain = await attachcheck(args);
    const always = await attachcheck([...args, '--color=always']);
    const said = (text: string) => text.replaceAll(' --color=always', '');
    expect(said(always.stdout)).toBe(plain.stdout);
  });

  const { path } = scratch();

  test('is for what is printed, and not for what is saved', async () => {
    const search = [
      '--planted',
      'r9-not-restored',
      '--seed',
      '3',
      '--color',
      'always',
      '--save',
      path('found'),
    ];
    const { stdout } = await attachcheck(search, { results: path('found') });
    const [, saved] = /saved +(\S+\.trace)/.exec(stdout.replaceAll(ESCAPE, '')) ?? [];
    expect((await attachcheck(['replay', saved ?? ''])).stdout).toContain('same report as saved');
  });

  test('of a law colours its mark, and makes its name bold', async () => {
    const { stdout } = await attachcheck(['replay', TRACE, '--color', 'always']);
    const bold = '\x1b[1mftrace/probes-fire-exactly-once\x1b[0m';
    expect(stdout.startsWith(`\x1b[31m✗\x1b[0m ${bold} `)).toBe(true);
  });

  test('another word is refused, with those that there are', async () => {
    const { exit, stderr } = await attachcheck(['--color', 'sometimes', '--list']);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain('Allowed choices are auto, always, never.');
  });
});
