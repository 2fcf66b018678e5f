import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { actionsFor, functionLists } from '../checker/sequences/draw.ts';
import { THOROUGH } from '../test/thorough.ts';
import { parseAction, printAction } from './action-text.ts';
import { KERNELS } from './core/profile.ts';
import { tracedFunction } from './trampoline/traced-function.ts';

test.each([...KERNELS, '6.12, multiLinks = global'])(
  '%s: every action that is drawn is read back as it was printed',
  (profile) => {
    const drawn = functionLists.chain((functions) =>
      fc.tuple(fc.constant({ profile, functions }), actionsFor(profile, { functions })),
    );
    fc.assert(
      fc.property(drawn, ([spelling, action]) => {
        expect(parseAction(printAction(action, spelling), spelling)).toEqual(action);
      }),
      { seed: 1, numRuns: THOROUGH ? 1500 : 300 },
    );
  },
);

it('reads back what is not drawn', () => {
  const spelling = { profile: '7.2', functions: [] };
  const action = { do: 'kfree', object: 'ops#1' } as const;
  expect(printAction(action, spelling)).toBe('kfree(ops#1)');
  expect(parseAction('kfree(ops#1)', spelling)).toEqual(action);
});

it('names a word that it does not know', () => {
  expect(() => parseAction('unregister_everything(f2)', { profile: '7.2', functions: [] })).toThrow(
    /unregister_everything/,
  );
});

it('reads a word as it may be written: in decimal, in capitals, or negative', () => {
  const spelling = { profile: '7.2', functions: [tracedFunction('f1', 1, 'u64 x3 -> u64')] };
  const saved = parseAction('task#1 calls f1(0x1, 0xfffffffffffffffe, 0xab)', spelling);
  expect(parseAction('task#1 calls f1(1, -2, 0xAB)', spelling)).toEqual(saved);
  for (const word of ['1.5', '0x', '18446744073709551616', '-9223372036854775809', 'one'])
    expect(() => parseAction(`task#1 calls f1(1, 2, ${word})`, spelling)).toThrow(`${word} is not a word`);
});

it.each([
  [1, 'the next'],
  [2, 'the 2nd'],
  [3, 'the 3rd'],
  [11, 'the 11th'],
  [21, 'the 21st'],
])('spells the allocation that fails: %i, %s', (nth, which) => {
  const spelling = { profile: '7.2', functions: [] };
  const where = 'bpf_trampoline_update';
  const fault = { what: 'allocation', where, ...(nth === 1 ? {} : { nth }) } as const;
  const text = `${which} allocation in ${where} fails`;
  expect(printAction({ do: 'fail', fault }, spelling)).toBe(text);
  expect(parseAction(text, spelling)).toEqual({ do: 'fail', fault });
  expect(() => parseAction('the 2th allocation in bpf_trampoline_update fails', spelling)).toThrow();
});
