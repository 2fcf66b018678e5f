import { expect, test } from 'vitest';
import { parseAction, printAction } from './action-text.ts';
import type { Action } from './client/all.ts';
import { plainProgram } from './trampoline/program.ts';
import { targetProgram, tracedFunction } from './trampoline/traced-function.ts';
import { fromNumber } from './x86/word.ts';

test('what a program reads of its first function is written and read', () => {
  const spelling = {
    profile: '6.12, multiLinks = global',
    functions: [tracedFunction('f3', 3, 'u64 -> u64')],
  };
  const program = { ...plainProgram(4), kind: 'fexit', multi: true, accesses: [0, 2] } as const;
  const load = { do: 'BPF_PROG_LOAD', target: 'f3', probe: '', returns: fromNumber(0) } as const;
  for (const [reads, accesses, list] of [
    ['direct', [0, 2], '0+2'],
    ['return directly', [0, 2], '0+2+ret'],
    ['direct', [], ''],
    ['return directly', [], 'ret'],
  ] as const) {
    const action: Action = { ...load, program: { ...program, reads, accesses } };
    const text = printAction(action, spelling);
    expect(text).toBe(`prog#4 = BPF_PROG_LOAD(fexit multi reads=ctx[${list}], f3)`);
    expect(parseAction(text, spelling)).toEqual(action);
  }
  expect(() => parseAction('prog#4 = BPF_PROG_LOAD(fexit multi reads=ctx[x], f3)', spelling)).toThrow(
    'an argument that is read x is not a whole number from 0 to 12',
  );
});

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
