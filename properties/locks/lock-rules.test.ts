import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';
import { BUSY_FUNCTIONS, busySequence } from '../../model/testing/busy-sequence.ts';
import { moduleFunction } from '../../model/trampoline/traced-function.ts';
import { inOneLine } from '../finding/render.ts';
import { locksAreTakenInOneOrder } from '../ftrace/locks-are-taken-in-one-order.ts';
import { writesHoldTheirLock } from '../ftrace/writes-hold-their-lock.ts';
import { changedPaths } from '../observed/changed-paths.ts';
import { attached, kprobe } from '../planted/sequences/actions.ts';
import { bare, edit } from '../planted/sequences/edits.ts';
import { ASSERTED_LOCKS } from './asserted-locks.ts';
import { GUARDED_PARTS, unlockedWrites } from './guarded-parts.ts';
import { GUARDED_STATE } from './guarded-state.ts';
import { withLock } from './lock-order.ts';

const IN_M1 = moduleFunction('f1', 1, 'u64 -> u64', 'm1');
const UNLOAD: Action = { do: 'delete_module', module: 'm1' };
const UNREGISTER: Action = { do: 'unregister_kprobe', kprobe: 'kprobe#1' };

/** Routines that assert a lock below one that they take, and calls of which the last is refused, or does nothing. */
const TAKEN_ITSELF: readonly (readonly [string, string, readonly Action[]])[] = [
  ['enable_kprobe', 'kprobe_mutex', [kprobe(1), UNREGISTER, { do: 'enable_kprobe', kp: 'kprobe#1' }]],
  ['init_module', 'module_mutex', [{ do: 'init_module', module: 'm1' }]],
  ['delete_module', 'module_mutex', [...attached('fentry'), UNLOAD]],
];

describe('the table of guarded state', () => {
  test('names its source in the kernel', () => {
    for (const { source } of [...GUARDED_STATE, ...ASSERTED_LOCKS]) expect(source).toMatch(/^\S+\.[ch] /);
  });

  test('asserts locks in routines that there are', () => {
    for (const { routine } of ASSERTED_LOCKS) expect(KERNEL_PROGRAM.entries.has(routine), routine).toBe(true);
  });

  test('asserts them from parts on that there are', () => {
    const parts = new Set(KERNEL_PROGRAM.instructions.map(({ routine, id }) => `${routine}: ${id}`));
    for (const { routine, part } of ASSERTED_LOCKS)
      if (part !== undefined) expect(parts).toContain(`${routine}: ${part}`);
  });

  test.each(TAKEN_ITSELF)(
    '%s takes %s itself, and needs it though it writes nothing',
    (routine, lock, actions) => {
      const sequence = { profile: '6.12', functions: [IN_M1], actions };
      const question = { laws: [writesHoldTheirLock] };
      expect(runSequence(sequence, question).breach).toBeUndefined();
      const program = linkKernel([edit(routine, `lock ${lock}`, bare)]);
      const { breach } = runSequence(sequence, { ...question, program });
      expect(breach?.at).toBe(actions.length - 1);
      expect(inOneLine(breach!.finding)).toContain(`${routine} runs under ${lock}`);
    },
  );

  test('a write without the lock names the state, and one under it is none', () => {
    const part = GUARDED_PARTS.find(({ name }) => name === 'ftrace.records')!;
    const k = {} as never;
    const values = [{ f1: { count: 0, flags: 0 } }, { f1: { count: 1, flags: 0 } }] as const;
    const judged = (lock: string) =>
      unlockedWrites(
        part,
        values,
        { before: k, after: k, by: 'ftrace_startup: x', holds: (held) => held === lock },
        () => {},
      );
    expect(judged('ftrace_lock')).toEqual([]);
    expect(judged('direct_mutex')).toEqual([
      {
        is: 'writes-without-lock',
        what: 'ftrace.records.f1.count',
        locks: ['ftrace_lock'],
        by: 'ftrace_startup: x',
      },
    ]);
  });
});

test('a whole object that is new or gone is one change, and a list is one value', () => {
  expect(changedPaths({ a: { b: 1 }, c: [1], d: 1 }, { a: { b: 2 }, c: [1, 2], e: { f: 1 } })).toEqual([
    ['a', 'b'],
    ['c'],
    ['e'],
    ['d'],
  ]);
});

test('a cycle of locks is found where its last edge is taken, without a deadlock', () => {
  const first = withLock(new Map(), ['direct_mutex'], 'ftrace_lock');
  const second = withLock(first.edges, ['ftrace_lock'], 'text_mutex');
  expect(second.finding).toBeUndefined();
  expect(withLock(second.edges, ['direct_mutex'], 'ftrace_lock').edges).toBe(second.edges);
  expect(withLock(second.edges, ['text_mutex'], 'direct_mutex').finding).toEqual({
    is: 'locks-in-a-cycle',
    locks: ['direct_mutex', 'ftrace_lock', 'text_mutex'],
  });
});

test.each(KERNELS)('%s keeps the rules while every client is at work', (profile) => {
  const laws = [writesHoldTheirLock, locksAreTakenInOneOrder];
  const run = runSequence({ profile, functions: BUSY_FUNCTIONS, actions: busySequence(profile) }, { laws });
  expect(run.breach).toBeUndefined();
  expect([...run.witnesses]).toHaveLength(2);
});
