import { expect, test } from 'vitest';
import { THOROUGH } from '../../test/thorough.ts';
import type { CostClient } from './client.ts';
import { clientOn } from './client.ts';
import { listCost } from './list-cost.ts';
import { massCost } from './mass-cost.ts';

const on = (name: string) => clientOn(name, undefined) as CostClient;
const listed = (signatures: readonly string[]) =>
  signatures.map((signature, i) => ({ name: `n${i}`, signature, why: undefined }));
const same = (n: number) => listed(Array.from({ length: n }, (_, i) => `u64 x${1 + (i % 4)} -> u64`));

test('a list costs the same as a kernel with functions of these types', () => {
  for (const name of ['single links', 'tracing multi', 'global', 'batch'])
    expect(listCost(on(name), same(12)).cost).toEqual(massCost(on(name), 12));
});

test('functions that a kernel or a design refuses are counted with the reason', () => {
  const strange = [
    'u64 x13 -> u64',
    'u64 -> s16b',
    's24b -> u64',
    's16b x7 -> u64',
    'ptr -> s32',
    'u64 x13 -> s32',
  ];
  const { attached, refused, cost } = listCost(on('single links'), listed(strange));
  expect(attached).toBe(1);
  expect(cost).toMatchObject({ attach: { images: 1, 'program loads': 1 } });
  const verifier = {
    errno: 'EINVAL',
    routine: 'bpf_prog_load',
    guard: 'the verifier refuses the program for its target',
  };
  const image = {
    errno: 'ENOTSUPP',
    routine: 'bpf_trampoline_update',
    guard: 'the image cannot be generated',
  };
  expect(refused).toEqual([
    { why: 'it takes more than 12 arguments', by: verifier, functions: ['n0', 'n5'] },
    { why: 'it returns a structure', by: verifier, functions: ['n1'] },
    { why: 'it takes a structure of more than 16 bytes', by: verifier, functions: ['n2'] },
    { why: 'it takes more than 12 words of arguments', by: image, functions: ['n3'] },
  ]);
  expect(listCost(clientOn('single links', '6.1') as CostClient, listed(['u64 x7 -> u64'])).refused).toEqual([
    { why: 'it takes more than 6 words of arguments', by: image, functions: ['n0'] },
  ]);
});

test('a limit that only a design has is found, and told in words', () => {
  const { refused } = listCost(on('splitting'), listed(['u64 x7 -> u64', 's4b -> u64', 'u64 -> u64']));
  expect(refused.map(({ why, by, functions }) => [why, by?.guard, functions])).toEqual([
    ['it takes more than 6 arguments', 'a function has too many arguments', ['n0']],
    [
      'it takes a structure, or an argument of more than 8 bytes',
      'a function has too many arguments',
      ['n1'],
    ],
  ]);
});

test('above a thousand functions only linear counts are run, and the others have their formula', () => {
  const [N, lookups] = THOROUGH ? [3000, 13_507_499] : [1100, 1_817_749];
  const multi = listCost(on('tracing multi'), same(N));
  expect(multi.isByFormula).toBe(false);
  expect(multi.cost).toMatchObject({ attach: { images: N } });
  const single = listCost(on('single links'), same(N));
  expect(single.isByFormula).toBe(true);
  expect(single.cost).toMatchObject({ attach: { images: N, 'hash look-ups': lookups } });
  expect(single.cost).not.toHaveProperty(['attach', 'bytes of text']);
});

test('probes are refused nothing for its type', () => {
  for (const name of ['kprobe.multi', 'fprobe']) {
    const { attached, refused } = listCost(on(name), listed(['u64 x13 -> u64', 'u64 -> s16b']));
    expect([attached, refused]).toEqual([2, []]);
    expect(clientOn(name, '6.1')).toMatchObject({ why: 'it has no fprobes' });
  }
});
