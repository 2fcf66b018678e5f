import { describe, expect, it } from 'vitest';
import { FIELDS } from '../instruction.ts';
import { mnemonicOf } from '../listing.ts';
import { bytesOf } from '../rig.ts';
import { decode } from './decode.ts';

/** Length of the first instruction at address 0, 0 when it is refused. */
function lengthOf(bytes: Uint8Array): number {
  return decode(bytes, 0, new Int32Array(FIELDS), 0, 0, 0);
}

/** Neighbours of what we decode: the same opcode with another prefix, or another member of its group. */
const REFUSED: readonly (readonly [bytes: string, mnemonic: string, why: string])[] = [
  ['d1d0', 'rcl', 'a rotate through carry'],
  ['c1d805', 'rcr', 'a rotate through carry'],
  ['d1f0', 'sal', 'the undocumented alias of shl'],
  ['f6c801', 'test', 'the undocumented alias of test'],
  ['f7f1', 'div', 'division can trap'],
  ['f7f9', 'idiv', 'division can trap'],
  ['f00107', 'add', 'a lock prefix'],
  ['678b07', 'mov', 'an address of 32 bits'],
  ['64488b07', 'mov', 'the fs segment'],
  ['6650', 'push', 'a push of two bytes'],
  ['666a01', 'push', 'a push of two bytes'],
  ['66680100', 'push', 'a push of two bytes'],
  ['668f00', 'pop', 'a pop of two bytes'],
  ['669c', 'pushf', 'flags of two bytes'],
  ['669d', 'popf', 'flags of two bytes'],
  ['66c3', 'ret', 'a return of two bytes'],
  ['66c20800', 'ret', 'a return of two bytes'],
  ['66c9', 'leave', 'a frame of two bytes'],
  ['66e800000000', 'call', 'CPUs disagree on its length'],
  ['660f8400000000', 'je', 'CPUs disagree on its length'],
  ['6674fe', 'je', 'CPUs disagree on its length'],
  ['66ffd0', 'call', 'a target of two bytes'],
  ['660fc8', 'bswap', 'its result is undefined'],
  ['8dc0', 'not an instruction', 'lea of a register'],
  ['ffd8', 'not an instruction', 'a far call of a register'],
  ['ff18', 'call', 'a far call'],
  ['ff28', 'jmp', 'a far jump'],
  ['cb', 'retf', 'a far return'],
  ['cf', 'iretd', 'a return from an interrupt'],
  ['cd80', 'int', 'an interrupt other than int3'],
  ['0faef0', 'mfence', 'a fence other than lfence'],
  ['0faef8', 'sfence', 'a fence other than lfence'],
  ['f30faee8', 'incsspd', 'the lfence bytes with a prefix'],
  ['f30f1efb', 'endbr32', 'endbr of the other mode'],
  ['f3480f1ec8', 'rdsspq', 'a shadow stack'],
  ['0f1e00', 'reservednop', 'a reserved nop'],
  ['0f1f08', 'reservednop', 'a reserved nop'],
  ['0f0d0f', 'prefetchw', 'a prefetch'],
  ['e300', 'jrcxz', 'a branch on rcx'],
  ['e2fe', 'loop', 'a branch on rcx'],
  ['a4', 'movsb', 'a string instruction'],
  ['f3aa', 'stosb', 'a string instruction'],
  ['48a10000000000000000', 'mov', 'an absolute address of eight bytes'],
  ['c8100000', 'enter', 'the opposite of leave'],
  ['d7', 'xlatb', 'a table look-up'],
  ['0fa3c8', 'bt', 'a bit test'],
  ['0fa4c805', 'shld', 'a double shift'],
  ['0fb1c8', 'cmpxchg', 'an exchange on a condition'],
  ['0fc1c8', 'xadd', 'an exchange that adds'],
  ['f3480fb8c1', 'popcnt', 'a bit count'],
  ['f30fbcc1', 'tzcnt', 'a bit count'],
  ['0fbcc1', 'bsf', 'a bit search'],
  ['0fa2', 'cpuid', 'its result depends on the CPU'],
  ['0f31', 'rdtsc', 'its result depends on the clock'],
  ['0f05', 'syscall', 'a system call'],
  ['f4', 'hlt', 'it waits'],
  ['0f10c1', 'movups', 'a vector register'],
  ['c5f877', 'vzeroupper', 'a vector prefix'],
  ['06', 'not an instruction', 'gone in 64-bit mode'],
  ['d6', 'not an instruction', 'never documented'],
];

describe('refused', () => {
  it.each(REFUSED)('%s (%s): %s', (hex, mnemonic) => {
    const bytes = bytesOf(hex);
    expect(mnemonicOf(bytes).mnemonic).toBe(mnemonic);
    expect(lengthOf(bytes)).toBe(0);
  });
});

describe('the end of the bytes', () => {
  it.each([
    '4883ec10',
    '48b88877665544332211',
    'e91b000000',
    '741e',
    '0f841a000000',
    '66c7840811223344aabb',
    '65488b042508000000',
    '69c900100000',
    'c21000',
    'f30f1efa',
    '0f1f840000000000',
    'c1e004',
    '488d0509000000',
  ])('every cut of %s is refused', (hex) => {
    const bytes = bytesOf(hex);
    const lengths = Array.from(bytes, (_, cut) => lengthOf(bytes.subarray(0, cut)));
    expect([...lengths, lengthOf(bytes)]).toEqual([...lengths.map(() => 0), bytes.length]);
  });

  it('an instruction has fifteen bytes at most', () => {
    expect(lengthOf(bytesOf(`${'66'.repeat(14)}90`))).toBe(15);
    expect(lengthOf(bytesOf(`${'66'.repeat(15)}90`))).toBe(0);
    expect(lengthOf(bytesOf('66'.repeat(20)))).toBe(0);
  });
});
