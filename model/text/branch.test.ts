import { expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';
import { branchIn, printBranch } from './branch.ts';
import { NOP5, siteAddress } from './text.ts';

test('five bytes are a nop, a branch to something with a name, or bytes', () => {
  const { rig } = ask('6.12', 'register_kprobe(kprobe#1, f1)');
  const address = siteAddress(rig.k, 'f1');
  expect(branchIn(rig.k, NOP5, address)).toEqual({ is: 'nop5' });
  expect(branchIn(rig.k, rig.k.text.sites['f1']!, address)).toMatchObject({ is: 'call' });
  expect(printBranch(branchIn(rig.k, '5548895dcc', address))).toBe('55 48 89 5d cc');
  expect(printBranch({ is: 'jmp', to: 'tramp#1' })).toBe('jmp tramp#1');
});
