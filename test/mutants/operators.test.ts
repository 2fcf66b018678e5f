import { describe, expect, test } from 'vitest';
import { item, present } from '../../model/core/present.ts';
import { routine } from '../../model/core/routine.ts';
import type { World } from '../../model/core/world.ts';
import { linkKernel } from '../../model/step.ts';
import { partMutants } from './part-mutants.ts';
import type { PartMutation } from './part-operators.ts';
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

describe('mutants that may make no fault', () => {
  function kept(write: Parameters<typeof routine<World, { a: string }>>[1]) {
    const [placed] = partsOf(routine<World, { a: string }>('f', write));
    return mutationsOf(present(placed, 'its part'));
  }

  function mutated(mutations: readonly PartMutation[], operator: string) {
    const { parts, isMade } = present(
      mutations.find((mutation) => mutation.operator === operator),
      operator,
    );
    return { part: item([...parts.values()].flat(), 0), isMade: present(isMade, 'what it says') };
  }

  const callee = routine<World, { a: string }>('g', ({ step }) => [step('a', () => {})]);

  test('an argument is another one only where its caller has one', () => {
    const { part, isMade } = mutated(
      kept(({ call }) => [call(callee, (_, { a }) => ({ a }))]),
      'argument',
    );
    if (part.kind !== 'call') throw new Error(part.kind);
    expect([part.give({} as World, { a: 'x', n: 1 }), isMade()]).toEqual([{ a: 'x' }, false]);
    expect([part.give({} as World, { a: 'x', b: 'y' }), isMade()]).toEqual([{ a: 'y' }, true]);
  });

  test('a list of one item is as it was', () => {
    const { part, isMade } = mutated(
      kept(({ each, step }) => [
        each<string>(
          'item',
          (_, { a }) => [...a],
          () => {},
          [step('b', () => {})],
        ),
      ]),
      'first only',
    );
    if (part.kind !== 'each') throw new Error(part.kind);
    expect([part.list({} as World, { a: 'x' }), isMade()]).toEqual([['x'], false]);
    expect([part.list({} as World, { a: 'xy' }), isMade()]).toEqual([['x'], true]);
  });

  test.each([
    ['rcu', []],
    ['rcu_tasks', ['rcu']],
    ['rcu_tasks_rude', ['rcu']],
    ['rcu_tasks_trace', ['rcu_tasks']],
  ] as const)('a wait for %s is mistaken for one that leaves out a task', (flavour, others) => {
    const mistaken = kept(({ wait }) => [wait(flavour)]).filter(({ operator }) => operator === 'flavour');
    const parts = mistaken.flatMap((mutation) => [...mutation.parts.values()].flat());
    expect(parts).toMatchObject(others.map((other) => ({ flavour: other })));
  });
});

function mutantsIn(text: string, path = 'a.ts'): SourceMutant[] {
  return sourceMutants([{ path, text }]);
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

  test('an index that only names an item of an image is left alone; that of a nop is not', () => {
    const text = "f(plain('open frame', 0, 'open'), plain('skip nop', 0, 'nop'), plain(4));";
    const constants = (path: string) => mutantsIn(text, path).map(({ from, start }) => [from, start]);
    expect(constants('model/trampoline/plan/a.ts')).toEqual([
      ['0', 52],
      ['4', 69],
    ]);
    expect(constants('model/x86/a.ts')).toHaveLength(3);
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
