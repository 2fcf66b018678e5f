import { expect, test } from 'vitest';
import { bootKernel } from '../../model/kernel.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { settledState } from './settled-state.ts';
import { perSnapshot, snapshotOf } from './snapshot.ts';

const boot = () => bootKernel({ profile: '6.12', boot: 'default', functions: [], tracepoints: [] });

test('a snapshot is a copy: what happens to the kernel later does not change it', () => {
  const k = boot();
  const taken = snapshotOf(k);
  expect(taken).toEqual(k);
  k.ftrace.disabled = true;
  k.ftrace.opsList.push('ops#1');
  expect(taken).toEqual(boot());
});

test('a kernel that has not changed has the same snapshot, and one that has shares all other parts', () => {
  const k = boot();
  const first = snapshotOf(k);
  expect(snapshotOf(k, first)).toBe(first);
  k.ftrace.disabled = true;
  const second = snapshotOf(k, first);
  expect(second).toEqual(k);
  expect([first.ftrace.disabled, second.ftrace.disabled]).toEqual([false, true]);
  expect(second.text).toBe(first.text);
  expect(second.ftrace.ops).toBe(first.ftrace.ops);
});

test.each<[string, object, object]>([
  ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['a key less', { a: 1, b: 2 }, { a: 1 }],
  ['a key more', { a: 1 }, { a: 1, b: {} }],
  ['an element less', { a: [1, 2] }, { a: [1] }],
  ['a list in the place of an object', { a: { 0: 1 } }, { a: [1] }],
  ['an object in the place of null', { a: null }, { a: {} }],
  ['null in the place of an object', { a: {} }, { a: null }],
  ['another value far below', { a: [{ b: { c: 1 } }], d: {} }, { a: [{ b: { c: 2 } }], d: {} }],
])('%s is another state', (_, before, after) => {
  const first = snapshotOf(before as never);
  const second = snapshotOf(after as never, first);
  expect(second).not.toBe(first);
  expect(JSON.stringify(second)).toBe(JSON.stringify(after));
});

test('no part of a snapshot is a part of the kernel', () => {
  const k = { same: { a: 1 }, list: [{ b: 1 }], other: { c: 1 } };
  const first = snapshotOf(structuredClone(k) as never);
  k.other.c = 2;
  const second = snapshotOf(k as never, first) as unknown as typeof k;
  expect(second).toEqual(k);
  expect([second.same, second.list, second.list[0], second.other]).not.toContain(k.same);
  expect(second.list).not.toBe(k.list);
  expect(second.list[0]).not.toBe(k.list[0]);
  expect(second.other).not.toBe(k.other);
});

test('a snapshot is settled once for a program, a kernel that may change each time', () => {
  const k = boot();
  const taken = snapshotOf(k);
  expect(settledState(taken, KERNEL_PROGRAM)).toBe(settledState(taken, KERNEL_PROGRAM));
  expect(settledState(k, KERNEL_PROGRAM)).not.toBe(settledState(k, KERNEL_PROGRAM));
  expect(settledState(k, KERNEL_PROGRAM)).toEqual(settledState(taken, KERNEL_PROGRAM));
});

test('what is derived is derived again by another parameter', () => {
  const derived: string[] = [];
  const derive = perSnapshot((_k, by: string) => {
    derived.push(by);
    return { by };
  });
  const taken = snapshotOf(boot());
  expect([derive(taken, 'a'), derive(taken, 'a'), derive(taken, 'b')]).toEqual([
    { by: 'a' },
    { by: 'a' },
    { by: 'b' },
  ]);
  expect(derived).toEqual(['a', 'b']);
});
