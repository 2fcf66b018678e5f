import { expect, test } from 'vitest';
import { Rig } from '../../../testing/attach-rig.ts';
import { tracedFunction } from '../../traced-function.ts';
import { currentArray, dataOf } from './kfunc-md.ts';

const FUNCTIONS = Array.from({ length: 2000 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));
const NAMES = FUNCTIONS.map(({ name }) => name);

test('the hash grows and shrinks with the functions, and each is found in it', () => {
  const rig = new Rig('6.12, multiLinks = global', FUNCTIONS);
  rig.load(1, 'fentry', '', { multi: true });
  const linkTo = (n: number, targets: readonly string[]) =>
    rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${n}`, prog: 1, targets });
  expect(linkTo(1, NAMES.slice(0, 15))).toBe(0);
  expect(currentArray(rig.k).bits).toBe(4);
  expect(linkTo(2, NAMES.slice(15, 16))).toBe(0);
  expect(currentArray(rig.k)).toMatchObject({ bits: 5, used: 16 });
  expect(linkTo(3, NAMES.slice(16))).toBe(0);
  expect(currentArray(rig.k)).toMatchObject({ bits: 12, used: 2000 });
  for (const fn of ['f1', 'f16', 'f2000']) expect(rig.call(fn).who).toEqual(['prog#1', fn]);
  rig.close(3);
  expect(currentArray(rig.k)).toMatchObject({ bits: 5, used: 16 });
  expect(rig.call('f15').who).toEqual(['prog#1', 'f15']);
  rig.close(2);
  rig.close(1);
  expect(dataOf(rig.k)).toMatchObject({ mds: {}, nodes: {} });
  expect(currentArray(rig.k)).toMatchObject({ bits: 4, used: 0, heads: {} });
});
