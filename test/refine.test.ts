import { describe, expect, test } from 'vitest';
import { refineCommand } from '../conformance/refine/refine-command.ts';
import { subjectsOf } from '../conformance/refine/subjects.ts';
import type { Answer } from '../counterexamples/answer.ts';
import { EXIT } from '../counterexamples/answer.ts';
import { replayHistory } from '../counterexamples/refine/refine-trace.ts';
import { sources } from './sources.ts';

function refined(one: string, other: string, operations: number): Answer {
  const job = refineCommand([one, other], { operations: String(operations) });
  for (;;) {
    const step = job.next(false);
    if (step.done === true) return step.value;
  }
}

const CORPUS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

describe('one by one and tracing multi', () => {
  test('a link that is refused has been seen in the middle, where sites are changed one after the other', () => {
    const { exit, save, text } = refined('one by one', 'tracing multi', 4);
    expect(exit).toBe(EXIT.BROKEN);
    expect(save[0]!.text).toBe(CORPUS.get(save[0]!.path));
    expect(text).toContain('prog#1 sees a call of f2 in the middle of the operation');
  });

  test('the other way round nothing is seen that is not allowed', () => {
    const { exit, text } = refined('tracing multi', 'one by one', 2);
    expect(exit).toBe(EXIT.HELD);
    expect(text).toContain('✓ tracing multi behaves as one by one within this bound');
    expect(text).toMatch(/^ {2}\d+ histories of up to 2 of 2 operations/m);
  });
});

test.each([
  ['splitting', 'prog#1 misses a call of f2 in the middle of the operation'],
  ['generic', 'prog#1 sees another return value in a call of f2'],
])('%s does not behave as one by one: %s', (design, reason) => {
  const { exit, save, text } = refined(design, 'one by one', 2);
  expect(exit).toBe(EXIT.BROKEN);
  expect(text).toContain(`  ${reason}.`);
  expect(save[0]!.text).toBe(CORPUS.get(save[0]!.path));
});

test('global refuses a function that has a single program, and a single program such a function', () => {
  const { exit, text } = refined('global', 'one by one', 2);
  expect(exit).toBe(EXIT.BROKEN);
  expect(text).toMatch(/client is answered -EEXIST, not 0:\n +single fentry to f2; multi fentry to f2\n/);
  expect(text).toMatch(/client is answered -EBUSY, not 0:\n +multi fentry to f2; single fentry to f2\n/);
});

test('a design stands on the kernel that the other can stand on as well', () => {
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
  expect(() => subjectsOf(['6.12', '7.2'])).toThrow('6.12 has no multi links to be compared');
});

test('a saved history replays, and one that is damaged says where', () => {
  const saved = CORPUS.get('counterexamples/corpus/refine/one-by-one.not-tracing-multi.trace');
  expect(replayHistory(saved!).kind).toBe('same');
  expect(replayHistory(saved!.replace('= -EBUSY', '= 0')).kind).toBe('diverged');
  expect(replayHistory(saved!.replace(/^against .*$/m, 'against  7.2, multiLinks = one by one')).kind).toBe(
    'holds',
  );
});
