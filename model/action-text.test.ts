import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { actionsFor, functionLists } from '../checker/sequences/draw.ts';
import { parseAction, printAction } from './action-text.ts';
import { KERNELS } from './core/profile.ts';

test.each([...KERNELS, '6.12, multiLinks = global'])(
  '%s: every action that is drawn is read back as it was printed',
  (profile) => {
    const drawn = functionLists.chain((functions) =>
      fc.tuple(fc.constant({ profile, functions }), actionsFor(profile, functions)),
    );
    fc.assert(
      fc.property(drawn, ([spelling, action]) => {
        expect(parseAction(printAction(action, spelling), spelling)).toEqual(action);
      }),
      { seed: 1, numRuns: 1500 },
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
