import { describe, expect, test } from 'vitest';
import { TRIES } from './bound.ts';
import { furtherInputsFor, inputsFor } from './chosen.ts';
import type { Corpus, JudgedInput, ReachedCode } from './corpus.ts';
import { inAll } from './verdict.ts';

/** Inputs by number, of one kind, each with the name of its number. */
function corpusOf(count: number, reaching: Record<string, number[]>, loaded: ReachedCode[] = []): Corpus {
  const drawn = Array.from(
    { length: count },
    (_, n): JudgedInput => ({
      input: { is: 'stub', types: [`${n}`] },
      sound: [],
    }),
  );
  return { drawn, reaching: new Map(Object.entries(reaching)), loaded: new Set(loaded), leftOut: {} };
}

function chosen(corpus: Corpus, reach: string, near: string[][]): number[] {
  return inputsFor({ reach, near }, corpus).map(({ input }) =>
    input.is === 'stub' ? Number(input.types[0]) : -1,
  );
}

const MANY = 3 * TRIES.stub;
const all = Array.from({ length: MANY }, (_, n) => n);

describe('the inputs of a mutant', () => {
  test('are those that run it', () => {
    const half = all.filter((n) => n % 2 === 0 && n < 2 * TRIES.stub);
    expect(chosen(corpusOf(MANY, { a: half }), 'a', [['a']])).toEqual(half);
  });

  test('are, of many, some that together run what they all run', () => {
    const rare = { b: [MANY - 1], c: [MANY - 2, MANY - 1], d: [MANY - 7] };
    const numbers = chosen(corpusOf(MANY, { a: all, ...rare }), 'a', [['a', 'b', 'c', 'd']]);
    expect(numbers).toHaveLength(TRIES.stub);
    expect(numbers).toEqual(expect.arrayContaining([MANY - 1, MANY - 7]));
    expect(numbers).not.toContain(MANY - 2);
  });

  test('are others of its file where it is computed once', () => {
    expect(chosen(corpusOf(9, { b: [3, 4] }, ['a']), 'a', [['a', 'b']])).toEqual([3, 4]);
    expect(chosen(corpusOf(9, { a: [1], b: [3, 4] }), 'a', [['a', 'b']])).toEqual([1, 3, 4]);
  });

  test('are those of the importing files as well where nothing runs it itself', () => {
    expect(chosen(corpusOf(9, { b: [2], c: [5] }, ['a']), 'a', [['a', 'b'], ['c']])).toEqual([2, 5]);
  });

  test('are none where nothing runs it', () => {
    expect(chosen(corpusOf(9, { b: [3] }), 'a', [['a', 'b']])).toEqual([]);
  });
});

test('a second trial counts from the begin of the first, and may make what the first did not', () => {
  const survived = { is: 'survived', after: 80 } as const;
  const killed = { is: 'killed', by: 'a law', on: 'sequence', after: 3 } as const;
  expect(inAll(survived, killed)).toEqual({ ...killed, after: 83 });
  expect(inAll(survived, { is: 'no fault' })).toEqual(survived);
  expect(inAll({ is: 'unreached' }, killed)).toEqual(killed);
  expect(inAll({ is: 'unreached' }, { is: 'unreached' })).toEqual({ is: 'unreached' });
});

test('the inputs of a second trial are none of the first', () => {
  const corpus = corpusOf(MANY, { a: all });
  const first = inputsFor({ reach: 'a', near: [] }, corpus);
  const further = furtherInputsFor({ reach: 'a', near: [] }, corpus, {
    tries: { ...TRIES, stub: MANY },
    first,
  });
  expect(first).toHaveLength(TRIES.stub);
  expect(further).toHaveLength(MANY - TRIES.stub);
  expect(further.filter((judged) => first.includes(judged))).toEqual([]);
});
