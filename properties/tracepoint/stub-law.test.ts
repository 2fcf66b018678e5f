import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeStub } from '../../checker/stubs/judge-stub.ts';
import { smallestBroken } from '../../checker/stubs/search-stubs.ts';
import { assembleStub } from '../../model/tracepoint/execute-stub.ts';
import type { StubItem } from '../../model/tracepoint/stub.ts';
import { emitStub, planStub } from '../../model/tracepoint/stub.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { PLANTED_STUBS } from '../planted/stubs/stubs.ts';
import { STUB_LAWS } from '../tracepoint-laws.ts';

/** One type of each size and sign, and structs: CAST_TO_U64() distinguishes sizes only. */
const SIZES = ['u8', 'u16', 'u32', 'u64'];
const ALL = [...SIZES, 's8', 's16', 's32', 's64', 'bool', 'ptr', 's1b', 's2b', 's4b', 's8b'];

function judged(names: readonly string[], edit: (items: StubItem[]) => StubItem[] = (items) => items) {
  const args = names.map((name) => typeNamed(name)!);
  return judgeStub(
    assembleStub((a) => emitStub(a, edit(planStub(args)), true)),
    args,
  );
}

/** All lists of a given length. */
function* lists(length: number, of: readonly string[]): Generator<string[]> {
  if (length === 0) yield [];
  else for (const rest of lists(length - 1, of)) for (const name of of) yield [...rest, name];
}

test.each(THOROUGH ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4])(
  'every combination of the four sizes in %i arguments is passed on',
  (count) => {
    let tried = 0;
    for (const names of lists(count, SIZES)) {
      expect(judged(names), names.join(', ')).toBeUndefined();
      tried++;
    }
    expect(tried).toBe(4 ** count);
  },
);

test.each([1, 2])('every combination of all types in %i arguments is passed on', (count) => {
  for (const names of lists(count, ALL)) expect(judged(names), names.join(', ')).toBeUndefined();
});

test('up to twelve arguments of any type are passed on', () => {
  const names = fc.array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(names, (list) => judged(list) === undefined),
    { seed: 1, numRuns: THOROUGH ? 500 : 100 },
  );
});

describe.each(PLANTED_STUBS)('planted bug $name', ({ law, args, finding, edit }) => {
  test('its law finds it in the smallest prototype', () => {
    const found = judged(args, edit);
    expect(found?.law).toBe(law);
    expect(found?.finding).toEqual(finding);
    expect(judged(args)).toBeUndefined();
  });
});

/** The prototypes before the smallest one with seven arguments are all of up to six: seconds. */
const SEARCHED = PLANTED_STUBS.filter(({ args }) => THOROUGH || args.length < 7);

describe.each(SEARCHED)('the search for $name', (planted) => {
  test('ends at the smallest prototype, and finds no bug in the sound stubs', () => {
    expect(smallestBroken(planted, [planted.law]).found?.types).toEqual(planted.args);
    const sound = { ...planted, edit: (items: StubItem[]) => items };
    const tried = THOROUGH ? 300 : 20;
    expect(smallestBroken(sound, [planted.law], tried)).toEqual({ found: undefined, tried });
  });
});

test('each law has its planted bug', () => {
  expect(new Set(PLANTED_STUBS.map(({ law }) => law.name))).toEqual(
    new Set(STUB_LAWS.map(({ name }) => name)),
  );
});
