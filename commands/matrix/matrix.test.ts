import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MECHANISMS } from '../../checker/matrix/mechanism.ts';
import type { RecordedTurn } from '../../conformance/matrix/recorded-pair.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { MatrixLine, MatrixQuestion } from './matrix-job.ts';
import { matrixJob, matrixQuestion } from './matrix-job.ts';

const RECORDINGS = ['sequences', 'asked-sequences', 'pairs'].map((name) =>
  join(import.meta.dirname, `../../conformance/recordings/${name}.jsonl.gz`),
);

/** Those that were recorded for this, one kernel after the other. */
const PAIRS = RECORDINGS.slice(-1);

function answered(question: MatrixQuestion): Answer {
  return toEnd(matrixJob(question));
}

function asked(names: readonly string[], line: MatrixLine, recordings = RECORDINGS): Answer {
  return answered(matrixQuestion(names, line, recordings));
}

describe.runIf(THOROUGH)('all pairs', () => {
  test.each(KERNELS)('of %s end as recorded', { timeout: 60_000 }, async (kernel) => {
    const { text, exit } = asked([], { kernel });
    expect(exit).toBe(EXIT.HELD);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
    await expect(`${text}\n`).toMatchFileSnapshot(`matrix-${kernel}.txt`);
  });
});

describe('one pair', () => {
  test('is printed in detail, in both orders, and detached in both', () => {
    const { text, exit } = asked(['livepatch', 'fentry'], { kernel: '6.1' });
    expect(exit).toBe(EXIT.HELD);
    expect(text).toContain('6.1: livepatch, then fentry: ok\n');
    expect(text).toContain('6.1: fentry, then livepatch: ok\n');
    expect(text.match(/ {2}detached in the other order/g)).toHaveLength(2);
    expect(text).toMatch(/ {2}recorded +2 sequences, 2 with the same answers and events:/);
  });

  test.each(KERNELS)('of a kprobe in the body and a live patch share a function of %s', (kernel) => {
    const { text, exit } = asked(['livepatch', 'kprobe.body'], { kernel }, PAIRS);
    expect(exit).toBe(EXIT.HELD);
    expect(text).toContain(`${kernel}: livepatch, then kprobe.body: ok\n`);
    expect(text).toContain(`${kernel}: kprobe.body, then livepatch: ok\n`);
  });

  test('that the kernel has not both of cannot meet', () => {
    const { text } = asked(['fprobe', 'ops'], { kernel: '6.1' }, PAIRS);
    expect(text).toBe('6.1: not both available\n  not in this kernel: fprobe (EOPNOTSUPP)');
  });

  test('is a row of a table, each way round, and what the kernel has not is one too', () => {
    const { csv } = asked(['livepatch', 'direct'], { kernel: '7.2' }, PAIRS);
    expect(csv!.map((row) => row.slice(0, 6))).toEqual([
      ['kernel', 'first', 'second', 'verdict', 'at', 'order decides'],
      ['7.2', 'direct', 'livepatch', 'EBUSY', 'attach second', 'no'],
      ['7.2', 'livepatch', 'direct', 'EBUSY', 'attach second', 'no'],
    ]);
    const absent = asked(['fprobe', 'ops'], { kernel: '6.1' }, PAIRS).csv!;
    expect(absent.map((row) => row.slice(0, 5))).toContainEqual(['6.1', 'fprobe', '', 'EOPNOTSUPP', 'alone']);
    for (const row of [...csv!, ...absent]) expect(row).toHaveLength(csv![0]!.length);
  });

  test('of one mechanism twice is one cell', () => {
    const { json } = asked(['direct', 'direct'], { kernel: '7.2' }, PAIRS);
    expect(json['kernels']).toMatchObject([{ cells: [{ verdict: 'EBUSY', orderDecides: false }] }]);
  });

  test('meets in the design of multi links that is asked for, which no recording is of', () => {
    const { text, exit } = asked(['livepatch', 'fentry.multi'], { kernel: '6.12, multiLinks = global' });
    expect(exit).toBe(EXIT.HELD);
    expect(text).toContain('livepatch, then fentry.multi: dies\n');
    expect(text).toContain('known global-trampoline-meets-a-live-patch\n');
    expect(text).toContain('  recorded   nowhere: no recording of 6.12, multiLinks = global begins so\n');
  });
});

describe('a planted bug changes a cell, and a recording contradicts it', () => {
  test.each([
    ['tramp-survives-a-second-ops', 'ops', 'kprobe', '6.12', 'loss', 'at kpon f2 0 the kernel ftrace 1 =2'],
    ['jump-under-a-live-patch', 'fexit', 'livepatch', '7.2', 'loss', 'at freg f2 2 the kernel rax 0xaaaa'],
    ['dead-ftrace-accepts-clients', 'ops', 'kprobe', '6.12', 'ok', undefined],
  ])('%s: %s, then %s', (planted, first, second, kernel, verdict, contradicted) => {
    const { text, exit } = asked([first, second], { kernel, planted }, PAIRS);
    expect(text).toContain(`${kernel}: ${first}, then ${second}: ${verdict}\n`);
    expect(exit).toBe(contradicted === undefined ? EXIT.HELD : EXIT.BROKEN);
    expect(text.includes(' the kernel ')).toBe(contradicted !== undefined);
    if (contradicted !== undefined) expect(text.replaceAll(/\n {2}/g, ' ')).toContain(contradicted);
  });
});

describe('a recording that shows something else', () => {
  const question = matrixQuestion(['direct', 'fentry'], { kernel: '6.12' }, PAIRS);
  const told = (pairs: MatrixQuestion['pairs']) => answered({ ...question, pairs });

  test.each([
    ['another errno', (turn: RecordedTurn) => ({ ...turn, errno: 22 }), 'the kernel EINVAL, the model'],
    [
      'an event less',
      (turn: RecordedTurn) => withCall(turn, ({ ev }) => ({ ev: ev.slice(1) })),
      /the kernel (body|no further event)/,
    ],
    [
      'another return value',
      (turn: RecordedTurn) => withCall(turn, () => ({ rax: '0x1' })),
      'the kernel rax 0x1, the model rax',
    ],
  ])('by %s fails', (_, change, sentence) => {
    const { text, exit } = told(
      question.pairs.map((pair) => ({ ...pair, turns: pair.turns.map(change) as RecordedTurn[] })),
    );
    expect(exit).toBe(EXIT.BROKEN);
    expect(text.replaceAll(/\n {2}/g, ' ')).toMatch(sentence);
  });

  test('as it is agrees', () => {
    expect(told(question.pairs).exit).toBe(EXIT.HELD);
  });
});

function withCall(
  turn: RecordedTurn,
  change: (call: RecordedTurn['seen']['call']) => Partial<RecordedTurn['seen']['call']>,
): RecordedTurn {
  const { call } = turn.seen;
  return { ...turn, seen: { ...turn.seen, call: { ...call, ...change(call) } } };
}

describe('a mechanism', () => {
  test('has a name and a column of its own', () => {
    const names = MECHANISMS.flatMap(({ name, column }) => [name, column]);
    // `ops` is both, of one.
    expect(new Set(names).size).toBe(names.length - 1);
    for (const { column } of MECHANISMS) expect(column).toHaveLength(3);
  });

  test.each([
    [['kprobe'], 'matrix takes no mechanism or two, not 1'],
    [['kprobe', 'uprobe'], 'mechanism uprobe is not known; there are direct(ip), '],
  ])('%j: %s', (names, sentence) => {
    expect(() => matrixQuestion(names, {}, [])).toThrow(InputError);
    expect(() => matrixQuestion(names, {}, [])).toThrow(sentence);
  });
});
