import { expect, test } from 'vitest';
import { KNOWN } from '../../conformance/known/known.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { searchAllImages } from './exhaustive.ts';

/** Planted bugs of one program, without arguments and with one; and of an argument on the stack, where there is time. */
const SAMPLE = [
  'plain-return-under-mitigation',
  'null-argument-shortcut',
  ...(THOROUGH ? ['padding-forgotten'] : []),
];

test.each(SAMPLE)('%s shows with one program, the fewest', (name) => {
  const planted = PLANTED.find((bug) => bug.name === name)!;
  const { found } = searchAllImages({ laws: [planted.law], known: KNOWN }, planted);
  expect(found?.programs).toHaveLength(1);
});

test('without a bug the first thousand combinations hold, each of them once', () => {
  const laws = PLANTED.map(({ law }) => law);
  expect(searchAllImages({ laws, known: KNOWN }, undefined, 1000)).toEqual({
    states: 1000,
    found: undefined,
  });
});
