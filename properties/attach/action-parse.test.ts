import { expect, test } from 'vitest';
import type { Action } from '../../model/action.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { targetProgram } from '../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../model/x86/word.ts';
import { parseAction } from './action-parse.ts';
import { printAction } from './action-text.ts';

test('an extension is written and read', () => {
  const spelling = { profile: '6.12', functions: [targetProgram('p1', 1, 'u64 -> u64')] };
  const load: Action = {
    do: 'BPF_PROG_LOAD',
    program: { ...plainProgram(9), kind: 'freplace' },
    target: 'p1',
    probe: '',
    returns: fromNumber(0xe009),
  };
  const text = printAction(load, spelling);
  expect(text).toBe('prog#9 = BPF_PROG_LOAD(freplace returns=0xe009, p1)');
  expect(parseAction(text, spelling)).toEqual(load);
});
