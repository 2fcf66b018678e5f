import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Instruction } from '../../model/core/instruction.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { BUSY_FUNCTIONS, busySequence } from '../../model/testing/busy-sequence.ts';
import { trLock } from '../../model/trampoline/trampoline.ts';
import { F1, F2 } from '../../properties/planted/sequences/actions.ts';
import { GUARDS, isQuiet, readsWhatStays } from './quiet.ts';
import type { PartName } from './world-parts.ts';
import { WorldParts } from './world-parts.ts';

const KERNEL = bootKernel({ profile: '6.12', boot: 'default', functions: [F1, F2] });
const LAYOUT = new WorldParts(KERNEL);

/** Values of a part before and after a step, by the part's name. */
type Changes = readonly (readonly [PartName, unknown, unknown])[];

function quiet(changes: Changes, locks: readonly string[]): boolean {
  const before = LAYOUT.split(KERNEL);
  const after = before.slice();
  for (const [name, old, now] of changes) {
    before[LAYOUT.numberOf(name)] = old;
    after[LAYOUT.numberOf(name)] = now;
  }
  const lockOf = (target: string) => trLock(KERNEL, target);
  return isQuiet(LAYOUT, lockOf, { before, after, holds: (lock) => locks.includes(lock) });
}

/** One change of each sort, the locks that make it quiet; undefined: none does. */
const CHANGES: readonly (readonly [PartName, unknown, unknown, readonly string[] | undefined])[] = [
  ['ftrace.records', { f1: 0 }, { f1: 1 }, ['ftrace_lock']],
  ['ftrace.startUp', 0, 1, ['ftrace_lock']],
  ['ftrace.opsList', [], ['ops#1'], undefined],
  ['ftrace.directFunctions', {}, { f1: 'tramp#1' }, undefined],
  ['bpf.trampolines', { f1: 0 }, { f1: 1 }, [trLock(KERNEL, 'f1')]],
  ['bpf.imagesMade', 1, 2, []],
  ['bpf.images', {}, { 'tramp#1': 'live' }, []],
  ['text.pages', { 'tramp#1': 1 }, { 'tramp#1': 1, 'tramp#2': 2 }, []],
  ['text.sites', { f1: '0f1f440000' }, { f1: 'cc1f440000' }, undefined],
  ['text.poke', null, { refs: 1 }, ['text_mutex']],
  ['locks', {}, { ftrace_lock: 'client#1' }, undefined],
];
const LOCKS = ['ftrace_lock', 'text_mutex', 'direct_mutex', trLock(KERNEL, 'f1'), trLock(KERNEL, 'f2')];

describe('a change that no other actor can observe', () => {
  test.each(CHANGES)('%s from %j to %j, under %j', (name, before, after, guards) => {
    const without = guards === undefined ? LOCKS : LOCKS.filter((lock) => !guards.includes(lock));
    expect(quiet([[name, before, after]], guards ?? [])).toBe(guards !== undefined);
    expect(quiet([[name, before, after]], without)).toBe(guards?.length === 0);
  });

  test.each<readonly [PartName, unknown, unknown]>([
    ['bpf.images', { 'tramp#1': 'live' }, { 'tramp#1': 'draining' }],
    ['bpf.images', { 'tramp#1': 'live' }, {}],
    ['text.pages', { 'tramp#1': 1 }, { 'tramp#1': 2 }],
    ['text.pages', { 'tramp#1': 1 }, {}],
    ['text.poke', { refs: 1 }, null],
    ['bpf.trampolines', { f1: 0, f2: 0 }, { f1: 1, f2: 1 }],
  ])('not: %s from %j to %j, under one lock of each sort', (name, before, after) => {
    const locks = ['ftrace_lock', 'text_mutex', 'direct_mutex', trLock(KERNEL, 'f1')];
    expect(quiet([[name, before, after]], locks)).toBe(false);
  });
});

const drawnChanges = fc.subarray([...CHANGES]).map((rows) => {
  const changes: Changes = rows.map(([name, before, after]) => [name, before, after]);
  return changes;
});

test('several changes are quiet when each of them is', () => {
  fc.assert(
    fc.property(drawnChanges, fc.subarray(LOCKS), (changes, locks) => {
      const each = changes.map((change) => quiet([change], locks));
      expect(quiet(changes, locks)).toBe(each.every(Boolean));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('with more locks held no more changes are observed', () => {
  fc.assert(
    fc.property(drawnChanges, fc.subarray(LOCKS), fc.subarray(LOCKS), (changes, locks, more) => {
      fc.pre(quiet(changes, locks));
      expect(quiet(changes, [...locks, ...more])).toBe(true);
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe('what a step has read', () => {
  test('stays as it is while the lock is held under which it changes', () => {
    const stays = (part: PartName, ...locks: string[]) =>
      readsWhatStays(LAYOUT, new Set([LAYOUT.numberOf(part)]), (lock) => locks.includes(lock));
    expect(stays('ftrace.directFunctions', 'ftrace_lock')).toBe(false);
    expect(stays('ftrace.directFunctions', 'direct_mutex')).toBe(true);
    expect(stays('profile')).toBe(true);
  });

  test.each(KERNELS)('%s: and under no other does it change', (profile) => {
    const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
    const layout = new WorldParts(k);
    const parts = [...GUARDS];
    const now = () => parts.map(([part]) => JSON.stringify(layout.split(k)[layout.numberOf(part)]));
    const wrong = new Set<string>();
    let changes = 0;
    let [before, held, last] = [now(), Object.keys(k.locks), undefined as Instruction | undefined];
    const step = (instruction: Instruction) => {
      const after = now();
      const locks = [...held, ...Object.keys(k.locks)];
      for (const [i, [part, guard]] of parts.entries()) {
        if (after[i] === before[i]) continue;
        changes++;
        if (!locks.includes(guard)) wrong.add(`${last!.routine}: ${last!.id} changes ${part}`);
      }
      [before, held, last] = [after, Object.keys(k.locks), instruction];
    };
    for (const action of busySequence(profile)) {
      apply(k, action, KERNEL_PROGRAM, { step });
      [before, held] = [now(), Object.keys(k.locks)];
    }
    expect(changes).toBeGreaterThan(50);
    // The addresses of a module that has gone get other names, which are those of nothing.
    expect([...wrong].filter((name) => !name.startsWith('delete_module: free its text'))).toEqual([]);
  });
});
