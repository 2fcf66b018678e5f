import { describe, expect, test } from 'vitest';
import { Players } from '../../checker/refinement/behaviours.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { replayHistory } from '../../counterexamples/histories/refine-trace.ts';
import { sources } from '../../test/sources.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { latticeJob } from './lattice-job.ts';
import { LatticeSearch } from './lattice-search.ts';
import type { RefineLine } from './refine.ts';
import { refineCommand } from './refine.ts';
import { subjectsOf } from './subjects.ts';

function refined(name: string, other: string, operations: number): Promise<Answer> {
  return answerTo([name, other], { operations: String(operations) });
}

function answerTo(designs: readonly string[], line: RefineLine): Promise<Answer> {
  return endOf(refineCommand(designs, line));
}

async function endOf(job: Job | WaitingJob, stop = false): Promise<Answer> {
  for (;;) {
    const step = await job.next(stop);
    if (step.done === true) return step.value;
  }
}

/** Of two each, where there is time. */
const OPERATIONS = THOROUGH ? 2 : 1;

const CORPUS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

describe('one by one and tracing multi', () => {
  test.runIf(THOROUGH)(
    'a link that is refused has been seen in the middle, where sites are changed one after the other',
    async () => {
      const { exit, save, text } = await refined('one by one', 'tracing multi', 4);
      expect(exit).toBe(EXIT.BROKEN);
      expect(save[0]!.text).toBe(CORPUS.get(save[0]!.path));
      expect(text).toContain('prog#1 sees a call of f2 in the middle of the operation');
    },
  );

  test('the other way round nothing is seen that is not allowed', async () => {
    const { exit, text } = await refined('tracing multi', 'one by one', OPERATIONS);
    expect(exit).toBe(EXIT.HELD);
    expect(text).toContain('✓ tracing multi behaves as one by one within this bound');
    expect(text).toMatch(/^ {2}\d+ histories of up to \d of \d operations?/m);
  });
});

test.each(
  someOf(
    [
      ['generic', 'prog#1 sees another return value in a call of f2'],
      ['splitting', 'prog#1 misses a call of f2 in the middle of the operation'],
    ],
    2,
  ),
)('%s does not behave as one by one: %s', async (design, reason) => {
  const { exit, save, text } = await refined(design, 'one by one', 2);
  expect(exit).toBe(EXIT.BROKEN);
  expect(text).toMatch(/^≠ /m);
  expect(text).toContain(`  ${reason}.`);
  expect(save[0]!.text).toBe(CORPUS.get(save[0]!.path));
});

test.runIf(THOROUGH)(
  'global refuses a function that has a single program, and a single program such a function',
  async () => {
    const { exit, text } = await refined('global', 'one by one', 2);
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/client is answered -EEXIST, not 0:\n +single fentry to f2; multi fentry to f2\n/);
    expect(text).toMatch(/client is answered -EBUSY, not 0:\n +multi fentry to f2; single fentry to f2\n/);
  },
);

test('all designs are compared the same way wherever operations are played', async () => {
  const designs = ['one by one', 'generic', 'generic with helpers'];
  const question = { designs, kernelsOf: subjectsOf, operations: 1 };
  const here = new LatticeSearch(question);
  const players = new Players(designs.length);
  for (let asks = here.goOn(false); asks.length > 0; asks = here.goOn(false))
    for (const ask of asks) here.tell(ask, players.play(ask));
  const { text, json } = here.answer();
  expect(text).toContain('\n  one by one = generic with helpers\n  generic = generic with helpers\n');
  expect(text).toMatch(/^ {2}\(generic with\s+helpers\s+is\s+in\s+several: [^)]*\)$/m);
  expect(text).toContain('\n  one by one ≠ generic: prog#1 sees another return value in a call of f2:\n');
  expect((await endOf(latticeJob(question, THOROUGH ? 2 : 1))).json).toEqual(json);
});

test('all designs: who is interrupted says what is open', async () => {
  const designs = ['one by one', 'splitting'];
  const { exit, json } = await endOf(latticeJob({ designs, kernelsOf: subjectsOf, operations: 2 }, 1), true);
  expect(exit).toBe(EXIT.INCONCLUSIVE);
  expect(json).toMatchObject({ pairs: [] });
});

test('a design runs on a kernel that supports the other as well', () => {
  expect(subjectsOf(['one by one', 'tracing multi'])).toEqual(['7.2, multiLinks = one by one', '7.2']);
  expect(subjectsOf(['one by one', '6.1, multiLinks = one by one'])).toEqual([
    '6.1, multiLinks = one by one',
    '6.1, multiLinks = one by one',
  ]);
  expect(subjectsOf(['6.12, multiLinks = one by one', '7.2'])).toEqual([
    '6.12, multiLinks = one by one',
    '7.2',
  ]);
  expect(() => subjectsOf(['one by one', 'two by two'])).toThrow('there is no design two by two; there are ');
  expect(() => subjectsOf(['6.12', '7.2'])).toThrow('6.12 has no multi links to compare');
});

test('a saved history replays, and one that is damaged says where', () => {
  const saved = CORPUS.get('counterexamples/corpus/refine/one-by-one.not-tracing-multi.trace');
  expect(replayHistory(saved!).kind).toBe('same');
  expect(replayHistory(saved!.replace('= -EBUSY', '= 0')).kind).toBe('diverged');
  expect(replayHistory(saved!.replace(/^against .*$/m, 'against  7.2, multiLinks = one by one')).kind).toBe(
    'holds',
  );
});
