import { describe, expect, test } from 'vitest';
import { routine } from '../../model/core/routine.ts';
import type { World } from '../../model/core/world.ts';
import { linkKernel } from '../../model/step.ts';
import { partMutants } from './part-mutants.ts';
import { mutationsOf } from './part-operators.ts';
import { partsOf } from './routines.ts';
import type { SourceMutant } from './source-mutants.ts';
import { sourceMutants } from './source-mutants.ts';
import { MARKS, SWITCH, switched } from './switched.ts';

describe('mutants of parts', () => {
  const ALL = partMutants();

  test('each has a name of its own, and a kernel can be linked with it', () => {
    expect(ALL.length).toBeGreaterThan(3000);
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    const some = ALL.filter((_, i) => i % 100 === 0);
    for (const { edits } of some) expect(linkKernel(edits).instructions.length).toBeGreaterThan(1000);
  });

  test('a part that is dropped takes its instruction away, and with a call what nothing else calls', () => {
    const { length } = linkKernel([]).instructions;
    const some = ALL.filter(({ operator }) => operator === 'drop').filter((_, i) => i % 50 === 0);
    for (const { edits } of some) expect(linkKernel(edits).instructions.length).toBeLessThan(length);
  });

  test('each kind of part has its operators', () => {
    const parts = routine<World, object>('f', ({ step, refuse, holding, when, wait, attempt }) => [
      refuse('EINVAL', 'no', () => false),
      holding('m', [step('a', () => {}), step('b', () => {})]),
      when('c', () => true, [wait('rcu_tasks')]),
      attempt([step('d', () => {})], [step('undo', () => {})]),
    ]);
    const seen = partsOf(parts).map((placed) => [
      placed.part.id,
      mutationsOf(placed)
        .map(({ operator, detail = '' }) => `${operator} ${detail}`.trim())
        .join(', '),
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      no: 'drop, errno, swap',
      'lock m': 'unlock, shorten early, shorten late, swap',
      a: 'drop, swap',
      b: 'drop',
      c: 'invert, swap',
      'wait for rcu_tasks': 'drop, flavour',
      attempt: 'no rollback',
      d: 'drop',
      undo: 'drop',
    });
  });
});

function mutantsIn(text: string): SourceMutant[] {
  return sourceMutants([{ path: 'a.ts', text }]);
}

describe('mutants of the source', () => {
  test.each([
    ['const a = x < 1;', ['(x) <= (1)', '2']],
    ['if (a && !b) f();', ['(a) || (!b)', '!(b)']],
    ['if (a) f(true);', ['!(a)', 'false']],
    ['let a: 0 | 1 = 0;', ['1']],
    ["const t = 'a' + b;", []],
    ['const t = { 0: a };', []],
    ['interface A { readonly a: true }', []],
    ['a += 0x10;', ['(a) -= (0x10)', '17']],
  ])('%s', (text, wanted) => {
    expect(mutantsIn(text).map(({ to }) => to)).toEqual(wanted);
  });

  test('are named by the function and the expression', () => {
    const text = 'function f() { return a < 1 || a < 1; }';
    expect(mutantsIn(text).map(({ name }) => name)).toEqual([
      'a.ts/f/logic/a < 1 || a < 1',
      'a.ts/f/comparison/a < 1',
      'a.ts/f/constant/1',
      'a.ts/f/comparison/a < 1 (2)',
      'a.ts/f/constant/1 (2)',
    ]);
  });

  test('are all in one text, each with its switch', () => {
    const text = 'return a < 1 ? b - 2 : c;';
    const all = mutantsIn(text);
    const run = (mutant: number) => {
      const marks = new Uint8Array(all.length + 1);
      const f = new Function(SWITCH, MARKS, 'a', 'b', 'c', switched(text, all, true));
      return [f(mutant, marks, 1, 5, 7), [...marks].join('')];
    };
    expect(all.map(({ to }) => to)).toEqual(['(a) <= (1)', '2', '(b) + (2)', '3']);
    expect([0, 1, 2, 3, 4].map(run)).toEqual([
      [7, '01100'],
      [3, '01011'],
      [3, '01111'],
      [7, '01100'],
      [7, '01100'],
    ]);
  });
});
