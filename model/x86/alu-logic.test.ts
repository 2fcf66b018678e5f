import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { DATA, FIXED, outcome, stated, titled } from './rig.ts';

const LOGIC: readonly InstructionRow[] = [
  {
    asm: 'and %rcx,%rax',
    bytes: '4821c8',
    before: { rax: 0xf0f0n << 48n, rcx: 0xff00n << 48n, flags: 'CF OF' },
    after: { rax: 0xf000n << 48n },
    flags: 'PF SF',
  },
  {
    asm: 'and $0xfffffffffffffff0,%rsp',
    bytes: '4883e4f0',
    before: { rsp: 0x123f },
    after: { rsp: 0x1230 },
    flags: 'PF',
  },
  {
    asm: 'and $0x80000000,%eax',
    bytes: '2500000080',
    before: { rax: -1n },
    after: { rax: 0x80000000 },
    flags: 'PF SF',
  },
  {
    asm: 'and $0xf0,%ah',
    bytes: '80e4f0',
    before: { rax: 0x0fff },
    after: { rax: 0x00ff },
    flags: 'PF ZF',
  },
  {
    asm: 'or %rcx,%rax',
    bytes: '4809c8',
    before: { rax: 1n << 63n, rcx: 1, flags: 'CF OF' },
    after: { rax: (1n << 63n) + 1n },
    flags: 'SF',
  },
  { asm: 'or $0x1,%eax', bytes: '83c801', before: { rax: 0xf00000006n }, after: { rax: 7 }, flags: '' },
  { asm: 'orl $0x8,%gs:0x10', bytes: '65830c251000000008', after: { 'percpu+0x10': '18' }, flags: 'PF' },
  {
    asm: 'or %cl,(%rdi)',
    bytes: '080f',
    before: { rdi: DATA + 0x10n, rcx: 0x81 },
    after: { 'data+0x10': '91' },
    flags: 'SF',
  },
  {
    asm: 'xor %eax,%eax',
    bytes: '31c0',
    before: { flags: 'CF OF SF' },
    after: { rax: 0 },
    flags: 'PF ZF',
  },
  { asm: 'xor %r8,%r8', bytes: '4d31c0', after: { r8: 0 }, flags: 'PF ZF' },
  { asm: 'xor %al,%al', bytes: '30c0', after: { rax: 0x0102030405060700n }, flags: 'PF ZF' },
  {
    asm: 'xor %ecx,%eax',
    bytes: '31c8',
    before: { rax: 0x10000000fn, rcx: 0xffffff00 },
    after: { rax: 0xffffff0f },
    flags: 'PF SF',
  },
  {
    asm: 'xor 0x1(%rdi),%ax',
    bytes: '66334701',
    before: { rdi: DATA, rax: 0x1_0000_0201n },
    after: { rax: 0x1_0000_0000n },
    flags: 'PF ZF',
  },
];

const TESTS: readonly InstructionRow[] = [
  { asm: 'test %rax,%rax', bytes: '4885c0', before: { rax: 1n << 63n, flags: 'CF OF' }, flags: 'PF SF' },
  { asm: 'test %rax,%rax', bytes: '4885c0', before: { rax: 0 }, flags: 'PF ZF' },
  { asm: 'test %r9,%r9', bytes: '4d85c9', before: { r9: 1n << 32n }, flags: 'PF' },
  { asm: 'test %eax,%eax', bytes: '85c0', before: { rax: 1n << 32n }, flags: 'PF ZF' },
  { asm: 'test %ax,%cx', bytes: '6685c1', before: { rax: 0x8001, rcx: 0x8000 }, flags: 'PF SF' },
  { asm: 'test $0x1,%al', bytes: 'a801', before: { rax: 0x103 }, flags: '' },
  { asm: 'test $0x80000000,%eax', bytes: 'a900000080', before: { rax: 0x80000000 }, flags: 'PF SF' },
  {
    asm: 'test $0xffffffffffffffff,%rax',
    bytes: '48a9ffffffff',
    before: { rax: 0x100000001n },
    flags: '',
  },
  { asm: 'testb $0x10,0x10(%rdi)', bytes: 'f6471010', before: { rdi: FIXED }, flags: '' },
  { asm: 'test %rcx,(%rdi)', bytes: '48850f', before: { rdi: FIXED, rcx: 0x0f00 }, flags: 'PF' },
];

describe.each([
  ['and, or and xor', LOGIC],
  ['test', TESTS],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
