import { describe, expect, test } from 'vitest';
import { WHOLE } from '../../checker/share.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { answerOf } from '../../test/job-answer.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import { sources } from '../../test/sources.ts';
import { WrongIn } from '../../test/wrong-kernel.ts';
import { RecordedShare } from '../shard/shard.ts';
import type { HistoryRun } from './compare-histories.ts';
import { compareHistories } from './compare-histories.ts';
import { knownOnKernel } from './known-breaches.ts';
import { runTraces } from './run-traces.ts';

const RUN: HistoryRun = {
  kernel: '6.12',
  profile: '6.12',
  seed: 7,
  runs: 12,
  from: 0,
  scope: 'bound functions',
  near: false,
};

const SHAPES = new Map(
  [...sources('docs/json.md')[0]!.text.matchAll(/^```json (kernel\w*)\n(.*?)^```$/gms)].map(
    ([, name, text]) => [name!, JSON.parse(text!)],
  ),
);

describe('histories', () => {
  test('without a difference end with 0, and say what was run and what was left out', () => {
    const kernel = new WrongIn(() => false);
    const { exit, text, json, save } = answerOf(compareHistories(RUN, () => kernel));
    expect([exit, save]).toEqual([EXIT.HELD, []]);
    expect(text).toMatch(
      /^✓ 6\.12: \d+ histories run, \d+ comparisons, no difference\n\n {2}run {6}\d+ of \d+ drawn calls \(\d+ %\)/,
    );
    expect(kernel.asked.length).toBeGreaterThan(6);
    expect(shapeDifferences(SHAPES.get('kernel'), json)).toEqual([]);
    expect(schemaProblems('kernel', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('are the same for the same seed, whole, in shards, and when they are resumed', () => {
    const asked = (run: Partial<HistoryRun>, share = WHOLE) => {
      const kernel = new WrongIn(() => false);
      answerOf(compareHistories({ ...RUN, ...run }, () => kernel, share));
      return kernel.asked.map((question) => JSON.stringify(question.case.actions));
    };
    const all = asked({});
    expect(asked({})).toEqual(all);
    const shards = [1, 2].map((number) => asked({}, new RecordedShare({ number, of: 2 })));
    expect(shards.flat().sort()).toEqual(all.toSorted());
    expect([...asked({ runs: 5 }), ...asked({ from: 5 })]).toEqual(all);
    expect(asked({ seed: 8 })).not.toEqual(all);
  });

  test('that differ are shrunk with the kernel in the loop, and saved with its answers', () => {
    const kernel = new WrongIn((name) => name === 'register_kprobe');
    const { exit, text, json, save } = answerOf(compareHistories(RUN, () => kernel));
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(
      /^✗ 6\.12 and the model differ at call 1: errno\n {2}1 calls, shrunk from \d+ by \d+ histories run\n/,
    );
    expect(text).toContain('  register_kprobe(kprobe#1, f1)                                    = 0\n');
    expect(text).toContain('  kernel   0\n  model    EBUSY\n');
    expect(text).toMatch(/resume {3}npm run check -- kernel 6\.12 --runs 12 --seed 7 --from \d+$/);
    expect(save[0]?.text).toContain('kernel   6.12\n\nf1 = function(u64 -> u64)\nregister_kprobe(');
    expect(shapeDifferences(SHAPES.get('kernel'), json)).toEqual([]);
    expect(schemaProblems('kernel', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('that are stopped end with 4, and with the command that resumes', () => {
    const { exit, text } = answerOf(
      compareHistories(RUN, () => new WrongIn(() => false)),
      3,
    );
    expect(exit).toBe(EXIT.INCONCLUSIVE);
    expect(text).toMatch(/npm run check -- kernel 6\.12 --runs 12 --seed 7 --from \d+$/);
  });
});

describe('traces', () => {
  const TRACE = 'kernel   6.12\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1)\n';
  const traces = [
    { path: 'a.calls', text: TRACE },
    { path: 'b.calls', text: TRACE.replace('f1)', 'f1+0xa)') },
    { path: 'c.calls', text: TRACE.replace('6.12', '7.2') },
  ];

  test('are run where the recorder can say them, and otherwise not, with the reason', () => {
    const { exit, parts, text, json } = answerOf(runTraces('6.12', traces, new WrongIn(() => false)));
    expect(exit).toBe(EXIT.HELD);
    expect(parts).toBe(
      '✓ a.calls\n    1 call: no difference\n' +
        '  b.calls\n    not run: kprobes in a body, whose instructions the compiler chooses\n' +
        '  c.calls\n    not run: it is of 7.2\n',
    );
    expect(text).toBe('\n6.12: 1 of 3 traces run, 0 differ');
    expect(shapeDifferences(SHAPES.get('kernelTraces'), json)).toEqual([]);
    expect(schemaProblems('kernelTraces', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('that differ end with 1', () => {
    const { exit, parts } = answerOf(
      runTraces('6.12', traces, new WrongIn((name) => name === 'register_kprobe')),
    );
    expect(exit).toBe(EXIT.BROKEN);
    expect(parts).toContain('✗ a.calls\n    call 1: errno\n    kernel  0\n    model   EBUSY\n');
  });
});

test.each([
  [['kernel', '5.4'], '5.4'],
  [['kernel', '6.12', '--shard', '3/2'], '3/2'],
  [['kernel', '6.12', '--near', '--known'], '--near is for drawn histories, and not for --known'],
  [['kernel', '6.12', '--near', 'a.calls'], '--near is for drawn histories, and not for a trace'],
  [['kernel', '--near', '--tree', '.', 'a.calls'], '--near is for drawn histories, and not for a trace'],
  [['kernel', '6.12', '--seed', '7x'], '7x'],
  [['--seed', '7x', 'kernel', '6.12'], '7x'],
  [['kernel', 'setup', '9.9'], '9.9'],
])('%j is refused in one sentence', async (argv, word) => {
  const { exit, stderr } = await attachcheck(argv);
  expect(exit).toBe(EXIT.USAGE);
  expect(stderr).toContain(word);
});

describe('examples of listed breaches', () => {
  test('that the kernel answers as the model are shown; each that is not run has a reason', () => {
    const { exit, text, json } = answerOf(knownOnKernel('6.1', new WrongIn(() => false)));
    expect(exit).toBe(EXIT.HELD);
    expect(text).toMatch(/^6\.1: \d+ listed breaches, \d+ answered as by the model\n/);
    expect(text).toContain('functions of this kind');
    expect(shapeDifferences(SHAPES.get('kernelKnown'), json)).toEqual([]);
    expect(schemaProblems('kernelKnown', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test('one that the kernel answers otherwise is named, with the first difference', () => {
    const { exit, text } = answerOf(knownOnKernel('6.1', new WrongIn((name) => name === 'register_kprobe')));
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/✗ [\w-]+\n {4}call \d: errno: 0, and in the model EBUSY\n/);
  });
});
