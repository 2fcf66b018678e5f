import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { junitProblems, parsedXml } from '../../test/parsed-xml.ts';
import { CHECK_FORMATS } from './check-format.ts';

const TRACE = 'counterexamples/corpus/known/kprobe-is-registered-and-dead.trace';
const CALLS = 'docs/examples/dead-kprobe.calls';

/** What each format has of failures: names. */
async function failuresOf(args: readonly string[]) {
  const { stdout, exit } = await attachcheck([...args, '--format', 'junit']);
  const root = parsedXml(stdout);
  expect(junitProblems(root)).toEqual([]);
  const cases = root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
  const names = (element: string) =>
    cases
      .filter(({ children }) => children.some(({ name }) => name === element))
      .map(({ attributes }) => attributes['name']);
  return {
    exit,
    failures: names('failure'),
    errors: names('error'),
    skipped: names('skipped'),
    all: cases.length,
  };
}

describe('a command with a verdict prints its document and nothing else', () => {
  const judge = [CALLS];

  test('a sequence: the step of each broken law', async () => {
    const { exit, failures, all } = await failuresOf(judge);
    expect(exit).toBe(EXIT.BROKEN);
    expect(failures).toEqual(['7.2: ftrace/probes-fire-exactly-once']);
    expect(all).toBeGreaterThan(5);
    const { stdout } = await attachcheck([...judge, '--format', 'github']);
    expect(stdout).toMatch(
      /^::error file=docs\/examples\/dead-kprobe\.calls,line=9,title=docs\/examples\/dead-kprobe\.calls%3A 7\.2%3A ftrace\/probes-fire-exactly-once::/,
    );
  });

  test('a replayed trace: its last step', async () => {
    const { stdout, exit } = await attachcheck(['replay', TRACE, '--format', 'sarif']);
    expect(exit).toBe(EXIT.BROKEN);
    const [run] = JSON.parse(stdout).runs;
    expect(run.results[0]).toMatchObject({
      ruleId: 'ftrace/probes-fire-exactly-once',
      locations: [{ physicalLocation: { artifactLocation: { uri: TRACE }, region: { startLine: 9 } } }],
    });
  });

  test('a search: a law each, the broken one in its trace', async () => {
    const found = await failuresOf(['--planted', 'r9-not-restored', '--no-save']);
    expect(found).toMatchObject({
      exit: EXIT.BROKEN,
      failures: ['trampoline/arguments-reach-the-original'],
      errors: [],
    });
    const held = await failuresOf(['--law', 'trampoline/stack-is-aligned', '--cases', '300']);
    expect(held).toMatchObject({ exit: EXIT.HELD, failures: [], errors: [], all: 1 });
    const open = await failuresOf(['--law', 'trampoline/session-cookies-are-separate', '--cases', '1']);
    expect(open).toMatchObject({
      exit: EXIT.INCONCLUSIVE,
      skipped: ['trampoline/session-cookies-are-separate'],
    });
    const sequences = await failuresOf([
      '--law',
      'ftrace/call-sites-match-ops',
      '--kernel',
      '6.12',
      '--sequences',
      '5',
    ]);
    expect(sequences.failures).toEqual([]);
  });

  test('a scenario, and an exploration', async () => {
    const own = await failuresOf(['explore', 'docs/examples/kretprobe.scenario']);
    expect(own).toMatchObject({ exit: EXIT.HELD, failures: [], errors: [] });
    const planted = await failuresOf(['explore', '--planted', 'no-sync-after-int3', '--no-save']);
    expect(planted).toMatchObject({ exit: EXIT.BROKEN, failures: ['task/no-torn-instruction'] });
  });

  test('a pair of mechanisms', async () => {
    const pair = await failuresOf(['matrix', 'ops', 'kprobe', '--kernel', '6.12']);
    expect(pair).toMatchObject({ exit: EXIT.HELD, failures: [], all: 2 });
  });
});

describe('wrong use', () => {
  test.each(CHECK_FORMATS)('%s of a file that is not there is a document', async (format) => {
    const { exit, stdout, stderr } = await attachcheck(['replay', 'gone.trace', `--format=${format}`]);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toMatch(/^attachcheck: gone\.trace: .*\n$/);
    expect(stdout).toContain('gone.trace');
    if (format === 'junit') expect(junitProblems(parsedXml(stdout))).toEqual([]);
    if (format === 'sarif') expect(JSON.parse(stdout).runs[0].invocations[0].exitCode).toBe(EXIT.USAGE);
  });

  test.each([
    [['replay', TRACE, '--format', 'junt'], 'there is no format junt; did you mean junit?'],
    [['--format', 'tap', 'history'], 'history has no --format tap'],
    [['--list', '--format', 'tap'], '--format tap is for verdicts, and not for --list'],
  ])('%j is one sentence', async (args, sentence) => {
    const { exit, stderr } = await attachcheck(args);
    expect([exit, stderr]).toEqual([EXIT.USAGE, `attachcheck: ${sentence}\n`]);
  });
});
