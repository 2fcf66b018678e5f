import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import { sources } from '../../test/sources.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { sequenceJob } from '../check/attach-job.ts';
import { searchesFor } from '../line/options.ts';
import { shapeOf } from './breach-shape.ts';
import { ProgressFile } from './progress-file.ts';
import type { SoakSearch } from './searches.ts';
import { searchesOfRound } from './searches.ts';
import { soakJob } from './soak.ts';

/** A search that finds a planted bug with each seed. */
function finding(planted: string): SoakSearch {
  return {
    ...{ name: `sequences with ${planted}`, kernel: '6.12', unit: 'sequence', bound: 200 },
    start: (seed) =>
      sequenceJob(searchesFor({ planted, seed: String(seed), cases: '1', sequences: '200' }).sequences!),
  };
}

const HOLDING: SoakSearch = {
  ...finding('rbx-is-not-restored'),
  name: 'what holds',
  *start() {
    yield { part: 'what holds', done: 0, of: 1, unit: 'sequence' };
    return { text: '', json: {}, exit: EXIT.HELD, save: [] };
  },
};

const FAILING: SoakSearch = {
  ...HOLDING,
  name: 'what fails',
  // biome-ignore lint/correctness/useYield: it fails before its first step
  *start() {
    throw new Error('unsupported instruction 0f01 (sgdt) at f1+0x4');
  },
};

const [, SHAPE] = /^```json soak\n(.*?)^```$/ms.exec(sources('docs/json.md')[0]!.text)!;

const SEARCHES = [finding('site-keeps-its-trampoline'), HOLDING, FAILING];

interface Told {
  readonly answer: Answer;
  readonly parts: readonly string[];
}

/** Runs a soak; it is stopped after a number of steps. */
function soaked(path: string, { rounds, stopAfter = Number.POSITIVE_INFINITY, first = 1 }: Bound): Told {
  const file = new ProgressFile(
    path,
    first,
    SEARCHES.map(({ name }) => name),
  );
  const job = soakJob({ searches: SEARCHES, file, first, hours: undefined, rounds });
  const parts: string[] = [];
  for (let n = 0, step = job.next(false); ; step = job.next(++n >= stopAfter)) {
    if (step.done === true) return { answer: step.value, parts };
    if ('text' in step.value) parts.push(step.value.text);
  }
}

interface Bound {
  readonly rounds: number;
  readonly stopAfter?: number;
  readonly first?: number;
}

function progressPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'attachcheck-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'progress');
}

/** Two rounds without a stop, run once for all tests. */
let two: Told | undefined;

function twoRounds(): Told {
  two ??= soaked(progressPath(), { rounds: 2 });
  return two;
}

test('a breach is printed once, however often and with whichever seed it is met', () => {
  const { answer, parts } = twoRounds();
  expect(parts.filter((text) => text.startsWith('✗ ftrace/'))).toHaveLength(1);
  expect(answer.json['breaches']).toMatchObject([{ times: 2, seed: 1, kernels: ['6.12'] }]);
  expect(answer.text).toContain('6 searches with seeds 1 to 2');
});

test('a failure of the checker ends its search, and no other', () => {
  const { answer, parts } = twoRounds();
  expect(parts.filter((text) => text.startsWith('✗ checker failed'))).toHaveLength(1);
  expect(answer.json).toMatchObject({
    exit: EXIT.FAILED,
    searches: 6,
    failures: [{ search: 'what fails', times: 2 }],
  });
  expect(shapeDifferences(JSON.parse(SHAPE!), answer.json)).toEqual([]);
  expect(schemaProblems('soak', JSON.parse(JSON.stringify(answer.json)))).toEqual([]);
});

describe('it resumes from its file', () => {
  test.each(THOROUGH ? [1, 3] : [1])(
    'stopped after %i steps of each run, it finds what it finds in one run',
    (stopAfter) => {
      const path = progressPath();
      const printed: string[] = [];
      let last: Answer | undefined;
      for (let run = 0; run < 40 && last?.json['seed'] !== 3; run++) {
        const { answer, parts } = soaked(path, { rounds: 2, stopAfter: stopAfter + run });
        printed.push(...parts);
        last = answer;
      }
      const whole = twoRounds();
      expect(last).toEqual(whole.answer);
      expect(printed).toEqual(whole.parts);
    },
  );

  test('and not from that of another seed', () => {
    const path = progressPath();
    soaked(path, { rounds: 1 });
    expect(() => soaked(path, { rounds: 1, first: 2 })).toThrow(
      `${path}: this progress is of a soak that began with another seed`,
    );
  });

  test('nor from a damaged one', () => {
    const path = progressPath();
    soaked(path, { rounds: 1 });
    const bytes = readFileSync(path);
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(path, bytes);
    expect(() => soaked(path, { rounds: 1 })).toThrow(
      `${path}: the progress is damaged: its checksum differs`,
    );
  });

  test('a place where nothing can be written is said before the first search', () => {
    expect(() => soaked('/proc/attachcheck-soak', { rounds: 1 })).toThrow(
      '/proc/attachcheck-soak cannot be written: ',
    );
  });
});

test('a soak that has finished no search is inconclusive', () => {
  const { answer } = soaked(progressPath(), { rounds: 0 });
  expect(answer.exit).toBe(EXIT.INCONCLUSIVE);
});

test('a round searches each kernel and each design, and no two searches have one name', () => {
  const names = searchesOfRound().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const kernel of ['6.1', '6.12', '7.2'])
    expect(names).toEqual(
      expect.arrayContaining([
        `sequences of ${kernel}`,
        `tracepoints of ${kernel}`,
        `schedules of ${kernel}`,
      ]),
    );
  expect(names).toContain('sequences of 6.12, multiLinks = batch');
});

test('a shape is a law and the kinds of calls that break it: of every saved counterexample', () => {
  const traces = sources('.trace').filter(({ path }) => !path.includes('/refine/'));
  for (const { path, text } of traces) expect([path, shapeOf(text).calls]).not.toEqual([path, '']);
  const [sequence] = traces.filter(({ path }) => path.endsWith('modify-without-the-temporary-ops.trace'));
  expect(shapeOf(sequence!.text)).toEqual({
    law: 'ftrace/direct-trampoline-runs-exactly-once',
    calls: 'ftrace_set_filter_ip, register_ftrace_direct, modify_ftrace_direct, call',
  });
});
