import { describe, expect, test } from 'vitest';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { printSample } from '../../properties/law/argument-law.ts';
import { ABI_PLANTED } from '../../properties/planted/arguments/abi.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { searchAbi } from './search.ts';

const CASES = THOROUGH ? 1000 : 250;

test('the laws hold for drawn sets of functions, and a fifth of them exercise each', () => {
  const { found, cases, witnesses } = searchAbi({
    seed: 1,
    cases: CASES,
    laws: ABI_LAWS,
    planted: undefined,
  });
  expect(found).toBeUndefined();
  expect(cases).toBe(CASES);
  for (const { name } of ABI_LAWS) expect(witnesses.get(name), name).toBeGreaterThan(CASES / 5);
});

test('the same seed draws the same', () => {
  const met = (seed: number) => [
    ...searchAbi({ seed, cases: 100, laws: ABI_LAWS, planted: undefined }).witnesses,
  ];
  expect(met(3)).toEqual(met(3));
  expect(met(3)).not.toEqual(met(4));
});

describe('planted bugs', () => {
  test.each(ABI_LAWS.map((law) => [law.name, law] as const))('%s catches at least one', (name, law) => {
    expect(ABI_PLANTED.filter((planted) => planted.law === law)).not.toEqual([]);
    expect(name).toMatch(/^abi\//);
    expect(law.sentence).toMatch(/^\w.*\.$/s);
    expect(law.source).toMatch(/^\S+\.[chS] {2}\w+/);
  });

  describe.each(ABI_PLANTED.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
    const search = (seed: number) => searchAbi({ seed, cases: 8000, laws: [planted.law], planted }).found;

    test('shrinks to the functions that are kept', () => {
      expect(printSample(search(1)!.sample)).toBe(planted.smallest);
    });

    test.each(someOf([7, 42], 2))('is found with seed %i as well', (seed) => {
      expect(search(seed)?.law).toBe(planted.law);
    });
  });
});
