import { describe, expect, it } from 'vitest';
import { disassemble, hexBytes, mnemonicOf } from './listing.ts';
import { bytesOf } from './rig.ts';
import type { Word } from './word.ts';
import { fromHex, toHex } from './word.ts';

const BASE = fromHex('0xffffffffc0000000');
const NAMES: Readonly<Record<string, string>> = {
  '0xffffffff81000000': '__bpf_tramp_enter',
  '0xffffffffc0000000': 'tramp#1',
  '0xffffc90000200400': '&prog#1',
  '0x10': 'sixteen',
};
const nameOf = (address: Word) => NAMES[toHex(address)];
const listed = (hex: string) => disassemble(bytesOf(hex), BASE, nameOf).map(({ text }) => text);

describe('a listing', () => {
  it('has an offset, the bytes and a text in columns for each instruction', () => {
    expect(disassemble(bytesOf('554889e5c3'), BASE, nameOf)).toEqual([
      { offset: 0, bytes: bytesOf('55'), text: 'push   %rbp' },
      { offset: 1, bytes: bytesOf('4889e5'), text: 'mov    %rsp,%rbp' },
      { offset: 4, bytes: bytesOf('c3'), text: 'ret' },
    ]);
  });

  it.each([
    ['e8fbffff c0', 'call   __bpf_tramp_enter'],
    ['e9fbffffff', 'jmp    tramp#1'],
    ['f2e8faffffc0', 'bnd call __bpf_tramp_enter'],
    ['3effd0', 'notrack call *%rax'],
    ['f3c3', 'rep ret'],
    ['74fe', 'je     tramp#1'],
    ['e800000000', 'call   0xffffffffc0000005'],
    ['48b800042000 00c9ffff', 'movabs $&prog#1,%rax'],
    ['48c7c000000081', 'mov    $__bpf_tramp_enter,%rax'],
    ['b800000081', 'mov    $0x81000000,%eax'],
    ['4883ec10', 'sub    $0x10,%rsp'],
    ['488b4710', 'mov    0x10(%rdi),%rax'],
    ['488d8700000081', 'lea    -0x7f000000(%rdi),%rax'],
  ])('%s is %s', (hex, text) => {
    expect(listed(hex.replace(' ', ''))).toEqual([text]);
  });

  it('continues after bytes that are no instruction, which take two when iced reads a ModRM', () => {
    expect(listed('069090')).toEqual(['(bad)', 'nop']);
  });

  it('of nothing is empty', () => {
    expect(listed('')).toEqual([]);
  });
});

describe('the first instruction of some bytes', () => {
  it.each([
    ['0faef090', '0f ae f0', 'mfence'],
    ['90', '90', 'nop'],
    ['06c0', '06', 'not an instruction'],
    ['e8', 'e8', 'not an instruction'],
    ['', '', 'not an instruction'],
  ])('%s: %s is %s', (hex, bytes, mnemonic) => {
    expect(mnemonicOf(bytesOf(hex))).toEqual({
      bytes,
      mnemonic,
      isInvalid: mnemonic === 'not an instruction',
    });
  });

  it('bytes are written two digits each', () => {
    expect(hexBytes(Uint8Array.of(0, 1, 0x10, 0xff))).toBe('00 01 10 ff');
  });
});
