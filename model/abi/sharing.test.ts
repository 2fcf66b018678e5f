import { describe, expect, test } from 'vitest';
import { InputError } from '../core/input-error.ts';
import { parseSignature } from '../trampoline/signature.ts';
import type { ArchName } from './arch.ts';
import { ARCHES } from './arch.ts';
import type { Sharing } from './sharing.ts';
import { BY_PLAN, ctxPlan, trampolinesNeeded } from './sharing.ts';

const PREFIX: Sharing = { ...BY_PLAN, plans: 'prefix' };

const needed = (functions: readonly string[], arch: ArchName, how: Sharing = BY_PLAN) =>
  trampolinesNeeded(functions.map(parseSignature), arch, how);

/** bpf_fentry_test1() to bpf_fentry_test9(), net/bpf/test_run.c. */
const FENTRY_TESTS = [
  's32 -> s32',
  's32, u64 -> s32',
  's8, s32, u64 -> s32',
  'ptr, s8, s32, u64 -> s32',
  'u64, ptr, s16, s32, u64 -> s32',
  'u64, ptr, s16, s32, ptr, u64 -> s32',
  'ptr -> s32',
  'ptr -> s32',
  'ptr -> u32',
];

/** All lists of up to `length` integers of 32 or 64 bits, at least one. */
function widths(length: number): string[][] {
  if (length === 0) return [];
  const shorter = widths(length - 1);
  const longest = length === 1 ? [[]] : shorter.filter((list) => list.length === length - 1);
  return [
    ...shorter,
    ...longest.flatMap((list) => [
      [...list, 'u32'],
      [...list, 'u64'],
    ]),
  ];
}

const ALL_WIDTHS = ['void', ...widths(6).map((list) => list.join(', '))];

describe('bpf_fentry_test1() to 9()', () => {
  test.each<[ArchName, Sharing['plans'], number]>([
    ['x86-32', 'exact', 6],
    ['x86-32', 'prefix', 5],
    ['x86-64', 'exact', 6],
    ['x86-64', 'prefix', 1],
    ['arm64', 'exact', 6],
    ['arm64', 'prefix', 1],
  ])('on %s, %s: %i trampolines', (arch, plans, trampolines) => {
    expect(needed(FENTRY_TESTS, arch, { ...BY_PLAN, plans }).trampolines).toBe(trampolines);
  });

  test('who shares on x86-32', () => {
    expect(needed(FENTRY_TESTS, 'x86-32').classes).toEqual([
      { plan: ['eax'], members: [0, 6, 7, 8] },
      { plan: ['eax', 'edx', '4(%esp):8(%esp)'], members: [2] },
      { plan: ['eax', 'edx', 'ecx', '4(%esp):8(%esp)'], members: [3] },
      { plan: ['eax', 'edx:ecx'], members: [1] },
      { plan: ['eax:edx', 'ecx', '4(%esp)', '8(%esp)', '12(%esp)', '16(%esp):20(%esp)'], members: [5] },
      { plan: ['eax:edx', 'ecx', '4(%esp)', '8(%esp)', '12(%esp):16(%esp)'], members: [4] },
    ]);
  });

  test('by prefix, that with one argument uses the image of the first that begins with it', () => {
    const { classes } = needed(FENTRY_TESTS, 'x86-32', PREFIX);
    expect(classes.map(({ members }) => members)).toEqual([[0, 2, 6, 7, 8], [3], [1], [5], [4]]);
  });
});

describe('every function of up to six integers', () => {
  test.each<[ArchName, number, number]>([
    ['x86-32', 127, 64],
    ['x86-64', 7, 1],
    ['arm64', 7, 1],
  ])('on %s: %i plans, %i trampolines by prefix', (arch, exact, prefix) => {
    expect(ALL_WIDTHS).toHaveLength(127);
    expect(needed(ALL_WIDTHS, arch).trampolines).toBe(exact);
    expect(needed(ALL_WIDTHS, arch, PREFIX).trampolines).toBe(prefix);
  });

  test('on x86-32 the type that is returned doubles it', () => {
    const both = ALL_WIDTHS.flatMap((list) => [`${list} -> u32`, `${list} -> u64`]);
    expect(needed(both, 'x86-32', PREFIX).trampolines).toBe(64);
    expect(needed(both, 'x86-32', { ...PREFIX, returnWidth: 'own registers' }).trampolines).toBe(128);
  });
});

describe('what else keeps functions apart', () => {
  const words = ['u64', 'u64 x2', 'u64 x6', 'u64 x7', 'u64 x9'];

  test('nothing: a prefix is enough', () => {
    expect(needed(words, 'x86-64', PREFIX).classes).toEqual([
      {
        plan: ['rdi', 'rsi', 'rdx', 'rcx', 'r8', 'r9', '8(%rsp)', '16(%rsp)', '24(%rsp)'],
        members: [0, 1, 2, 3, 4],
      },
    ]);
  });

  test('the return value after the arguments: how many there are', () => {
    expect(needed(words, 'x86-64', { ...PREFIX, returnPlace: 'after the arguments' }).trampolines).toBe(5);
  });

  test('copies of just the own stack arguments: how many of them there are', () => {
    const { classes } = needed(words, 'x86-64', { ...PREFIX, stackCopied: 'own words' });
    expect(classes.map(({ members }) => members)).toEqual([[0, 1, 2], [3], [4]]);
  });

  test('programs of their own', () => {
    const traced = ['A', 'B', 'A'].map((programs) => ({ ...parseSignature('u64'), programs }));
    const { classes } = trampolinesNeeded(traced, 'x86-64', { ...PREFIX, programs: 'their own' });
    expect(classes.map(({ members }) => members)).toEqual([[0, 2], [1]]);
    expect(trampolinesNeeded(traced, 'x86-64', PREFIX).trampolines).toBe(1);
  });

  test('16 bytes that do not fit: a plan of their own, but on arm64 only where they close the registers', () => {
    const disorder = ['u64 x8', 'u64 x5, s16b, u64'];
    expect(needed(disorder, 'x86-64', PREFIX).trampolines).toBe(2);
    expect(needed(disorder, 'arm64', PREFIX).trampolines).toBe(1);
    expect(needed(['u64 x10', 'u64 x7, s16b, u64'], 'arm64', PREFIX).trampolines).toBe(2);
  });

  test('__int128 at an odd register of arm64', () => {
    expect(needed(['u64 x3', 'u64, u128'], 'arm64', PREFIX).trampolines).toBe(2);
    expect(needed(['u64 x3', 'u128, u64'], 'arm64', PREFIX).trampolines).toBe(1);
  });
});

describe('a plan', () => {
  test.each<[ArchName, string, string]>([
    ['x86-32', 'u64, s16b, u32', 'eax:edx 4(%esp):8(%esp) 12(%esp):16(%esp) 20(%esp)'],
    ['x86-32', 's12b, u32', 'eax:edx ecx 4(%esp)'],
    ['x86-32', 's3b, ptr', 'eax edx'],
    ['arm64', 'u64, u128, u32', 'x0 x2 x3 x4'],
    ['x86-64', 's16b, u8', 'rdi rsi rdx'],
  ])('on %s of %s: %s', (arch, signature, plan) => {
    expect(ctxPlan(parseSignature(signature), arch).join(' ')).toBe(plan);
  });

  test('no function at all needs no trampoline', () => {
    for (const arch of ARCHES) expect(needed([], arch)).toEqual({ trampolines: 0, classes: [] });
  });

  test('a type that the architecture has not is refused by its name', () => {
    expect(() => ctxPlan(parseSignature('u128'), 'x86-32')).toThrow(
      new InputError('u128 is no type on x86-32: there is no integer of 128 bits'),
    );
  });
});
