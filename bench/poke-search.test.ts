import { describe, expect, test } from 'vitest';
import { bootPokeKernel, leave, reachedFrom } from './poke-kernel.ts';
import { searchPokes } from './poke-search.ts';

/**
 * What Spin 6.5.2 counts on `spin/text-poke.pml`; its transitions without the one to the first state. For each line:
 *
 *     spin -a -DREADERS=3 -DSITES=2 text-poke.pml && gcc -O2 -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m100000
 */
const COUNTED_BY_SPIN = [
  { readers: 2, sites: 1, states: 218, transitions: 680 },
  { readers: 2, sites: 2, states: 1083, transitions: 4215 },
  { readers: 2, sites: 3, states: 5386, transitions: 24142 },
  { readers: 3, sites: 2, states: 11759, transitions: 65341 },
  { readers: 4, sites: 2, states: 145503, transitions: 1051111 },
];

test.each(COUNTED_BY_SPIN)('$readers readers of $sites sites have $states states, as Spin counts', (row) => {
  const { readers, sites } = row;
  const { states, transitions } = searchPokes({ readers, sites });
  expect({ readers, sites, states, transitions }).toEqual(row);
});

describe('the small model sees what a reader must not meet', () => {
  test('an instruction of two halves', () => {
    const k = bootPokeKernel(1, 1);
    k.text.views[0] = { f1: { heads: [], tails: ['00000000'], whole: [k.text.sites['f1']!] } };
    expect(() => reachedFrom(k, 'f1', 0)).toThrow('f1 is executed as 0f00000000');
  });

  test('an unhandled int3', () => {
    const k = bootPokeKernel(1, 1);
    k.text.sites['f1'] = 'cc1f440000';
    expect(() => reachedFrom(k, 'f1', 0)).toThrow('unhandled int3 at f1');
  });

  test('an image that was freed', () => {
    const k = bootPokeKernel(1, 1);
    expect(() => leave(k, 'f1')).not.toThrow();
    expect(() => leave(k, 'tramp#1')).toThrow('use after free: tramp#1 has been freed');
  });
});
