import { expect, test } from 'vitest';
import type { Answer, AnswerPart } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { partAnswer } from '../../counterexamples/run-part.ts';
import { item } from '../../model/core/present.ts';
import type { BesideJob, WaitingJob } from '../explore/explore.ts';
import { searchesFor } from '../line/options.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { checkJob, sectionsJob } from './check.ts';
import { taskOf } from './section.ts';

const NOTHING = { breaches: 0, wrong: [], known: [], open: [], next: { options: {} } };
const HELD: Answer = partAnswer(
  { mark: '✓', name: 'interleavings', counts: 'held' },
  { json: {}, exit: EXIT.HELD, save: [], verdict: NOTHING },
);
const FOUND: Answer = partAnswer(
  { mark: '✗', name: 'interleavings', counts: '1 scenario', reports: ['✗ task/law'] },
  {
    json: {},
    exit: EXIT.BROKEN,
    save: [{ path: 'counterexamples/corpus/task/law.trace', text: '' }],
    verdict: { ...NOTHING, breaches: 1 },
  },
);

/** An exploration with this result, or without end; and whether it was ended. */
function exploring(answer?: Answer): { readonly explore: () => BesideJob; readonly isEnded: () => boolean } {
  let ended = false;
  async function* job(): WaitingJob {
    yield { part: 'exploring' };
    return answer ?? new Promise<never>(() => {});
  }
  const close = async () => {
    ended = true;
  };
  return { explore: () => ({ job: job(), close }), isEnded: () => ended };
}

const { images, sequences } = searchesFor({ seed: '1', cases: '0', sequences: '0' });

/** The default run of little more than some saved counterexamples. */
function run(corpus: readonly NamedTrace[], explore: () => BesideJob): WaitingJob {
  const no = { recordings: [], recordedSequences: [], exploreCommand: [] };
  return checkJob({ ...no, corpus, search: images!, sequences: sequences!, explore });
}

/** Drives it to its end; it is stopped when it tells how far it has got with that part. */
async function drive(job: WaitingJob, stop?: string): Promise<{ parts: AnswerPart[]; answer: Answer }> {
  const parts: AnswerPart[] = [];
  let stops = false;
  for (;;) {
    const { done, value } = await job.next(stops);
    if (done === true) return { parts, answer: value };
    if ('part' in value) stops ||= value.part === stop;
    else parts.push(value);
  }
}

const EMPTY: readonly NamedTrace[] = ['a', 'b', 'c'].map((path) => ({ path, text: '' }));

test('a run that is stopped says of each section what it has left out, and passes nothing', async () => {
  const { parts, answer } = await drive(run(EMPTY, exploring(HELD).explore), 'counterexamples');
  const texts = parts.map(({ text }) => text);
  expect(texts.slice(1, -1).join('\n')).not.toContain('✓');
  expect(item(texts, 1)).toContain(
    '? stopped          1 of 3 saved counterexamples was replayed, 2 were not',
  );
  expect(texts.slice(2, -1)).toEqual([
    '? known bugs       not begun',
    '? images           not begun',
    '? sequences        not begun',
  ]);
  expect(answer.json).toMatchObject({ known: null, search: null, sequences: null });
});

test('a new breach of the exploration is printed before the other sections end', async () => {
  const { parts, answer } = await drive(run(EMPTY, exploring(FOUND).explore), 'known bugs');
  const place = parts.findIndex(({ text }) => text.includes('✗ task/law'));
  expect(place).toBeLessThan(parts.findIndex(({ text }) => text.includes('damaged          a')));
  expect(item(parts, place).save).toEqual(FOUND.save);
  expect(answer.verdict).toMatchObject({ breaches: 1 });
});

test('a run that fails ends the exploration, which would run for ever', async () => {
  const { explore, isEnded } = exploring();
  const failing = {
    path: 'a',
    get text(): string {
      throw new Error('a law throws');
    },
  };
  await expect(drive(run([failing], explore))).rejects.toThrow('a law throws');
  expect(isEnded()).toBe(true);
});

test('a run fails as soon as its exploration does', async () => {
  async function* job(): WaitingJob {
    yield { part: 'exploring' };
    throw new Error('a worker throws');
  }
  const explore = () => ({ job: job(), close: async () => {} });
  await expect(drive(run(EMPTY, explore))).rejects.toThrow('a worker throws');
});

test('a run that ends at the first breach starts no later section, and ends the exploration', async () => {
  const begun: string[] = [];
  const task = (name: string, answer: Answer) =>
    taskOf(name, name, function* () {
      begun.push(name);
      yield { part: name };
      return answer;
    });
  const tasks = [task('first', HELD), task('second', FOUND), task('third', HELD)];
  const exploration = exploring();
  const job = sectionsJob({ tasks, explore: exploration.explore, exploreCommand: [], seed: 1, first: true });
  const { parts, answer } = await drive(job);
  expect(begun).toEqual(['first', 'second']);
  expect(parts.map(({ text }) => text)).toEqual([HELD.text, FOUND.text]);
  expect(answer.exit).toBe(EXIT.BROKEN);
  expect(exploration.isEnded()).toBe(true);
});

test('the saved file of a difference is not that of a breach', async () => {
  const difference = {
    ...HELD,
    save: [{ path: 'counterexamples/corpus/refine/difference.trace', text: '' }],
  };
  const section = (name: string, answer: Answer) =>
    taskOf(name, name, function* () {
      yield { part: name };
      return answer;
    });
  const tasks = [section('first', difference), section('second', FOUND)];
  const { parts, answer } = await drive(
    sectionsJob({ tasks, explore: exploring(HELD).explore, exploreCommand: [], seed: 1 }),
  );
  expect(parts.map(({ save }) => save.length)).toEqual([1, 1, 0]);
  expect(answer.save).toEqual(FOUND.save);
});
