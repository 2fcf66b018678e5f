import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { DATA, FIXED, outcome, stated, titled } from './rig.ts';

const SUBTRACTIONS: readonly InstructionRow[] = [
  { asm: 'sub %rcx,%rax', bytes: '4829c8', before: { rax: 3, rcx: 2 }, after: { rax: 1 }, flags: '' },
  {
    asm: 'sub %rcx,%rax',
    bytes: '4829c8',
    before: { rax: 0, rcx: 1 },
    after: { rax: -1n },
    flags: 'CF PF AF SF',
  },
  {
    asm: 'sub %rcx,%rax',
    bytes: '4829c8',
    before: { rax: 0x100000000n, rcx: 1 },
    after: { rax: 0xffffffffn },
    flags: 'PF AF',
  },
  {
    asm: 'sub $0x1,%rax',
    bytes: '4883e801',
    before: { rax: 1n << 63n },
    after: { rax: 0x7fffffffffffffffn },
    flags: 'PF AF OF',
  },
  {
    asm: 'sub $0x1,%eax',
    bytes: '83e801',
    before: { rax: 0x500000000n },
    after: { rax: 0xffffffff },
    flags: 'CF PF AF SF',
  },
  {
    asm: 'sub $0x1,%ax',
    bytes: '6683e801',
    before: { rax: 0x18000 },
    after: { rax: 0x17fff },
    flags: 'PF AF OF',
  },
  {
    asm: 'sub %ah,%al',
    bytes: '28e0',
    before: { rax: 0x0201 },
    after: { rax: 0x02ff },
    flags: 'CF PF AF SF',
  },
  { asm: 'sub %r8d,%r8d', bytes: '4529c0', after: { r8: 0 }, flags: 'PF ZF' },
  { asm: 'sub $0x10,%rsp', bytes: '4883ec10', before: { rsp: 0x1010 }, after: { rsp: 0x1000 }, flags: 'PF' },
  {
    asm: 'sub $0x8,%rsp',
    bytes: '4883ec08',
    before: { rsp: 0x100000000n },
    after: { rsp: 0xfffffff8n },
    flags: 'AF',
  },
  {
    asm: 'sub $0xffffffffffffff80,%rsp',
    bytes: '4883ec80',
    before: { rsp: 0xffffff80n },
    after: { rsp: 0x100000000n },
    flags: 'CF PF',
  },
  {
    asm: 'sub $0xffffffff80000000,%rsp',
    bytes: '4881ec00000080',
    before: { rsp: 0x100000000n },
    after: { rsp: 0x180000000n },
    flags: 'CF PF',
  },
  {
    asm: 'sub 0x10(%rdi),%cl',
    bytes: '2a4f10',
    before: { rdi: DATA, rcx: 0x10 },
    after: { rcx: 0 },
    flags: 'PF ZF',
  },
  {
    asm: 'sub %cx,(%rdi)',
    bytes: '66290f',
    before: { rdi: DATA, rcx: 0x101 },
    after: { 'data+0x0': 'ffff' },
    flags: 'CF PF AF SF',
  },
];

const COMPARISONS: readonly InstructionRow[] = [
  { asm: 'cmp %rcx,%rax', bytes: '4839c8', before: { rax: 1, rcx: 2 }, flags: 'CF PF AF SF' },
  { asm: 'cmp $0x0,%rax', bytes: '4883f800', before: { rax: 0 }, flags: 'PF ZF' },
  {
    asm: 'cmp $0xffffffffffffffff,%rax',
    bytes: '4883f8ff',
    before: { rax: 0x7fffffffffffffffn },
    flags: 'CF PF SF OF',
  },
  { asm: 'cmp $0x80,%al', bytes: '3c80', before: { rax: 0x7f }, flags: 'CF PF SF OF' },
  { asm: 'cmpl $0x3020100,(%rdi)', bytes: '813f00010203', before: { rdi: FIXED }, flags: 'PF ZF' },
  { asm: 'cmp 0x8(%rdi),%r9', bytes: '4c3b4f08', before: { rdi: FIXED, r9: 0 }, flags: 'CF AF SF' },
];

const WITH_BORROW: readonly InstructionRow[] = [
  { asm: 'sbb $0x0,%rax', bytes: '4883d800', before: { rax: 1 }, after: { rax: 1 }, flags: '' },
  {
    asm: 'sbb $0x0,%rax',
    bytes: '4883d800',
    before: { rax: 0, flags: 'CF' },
    after: { rax: -1n },
    flags: 'CF PF AF SF',
  },
  {
    asm: 'sbb %rcx,%rax',
    bytes: '4819c8',
    before: { rax: 0, rcx: -1n, flags: 'CF' },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'sbb %rcx,%rax',
    bytes: '4819c8',
    before: { rax: 5, rcx: 3, flags: 'CF' },
    after: { rax: 1 },
    flags: '',
  },
  {
    asm: 'sbb %eax,%eax',
    bytes: '19c0',
    before: { flags: 'CF' },
    after: { rax: 0xffffffff },
    flags: 'CF PF AF SF',
  },
  { asm: 'sbb %ax,%ax', bytes: '6619c0', after: { rax: 0x0102030405060000n }, flags: 'PF ZF' },
  {
    asm: 'sbb %cl,%al',
    bytes: '18c8',
    before: { rax: 0x80, rcx: 0, flags: 'CF' },
    after: { rax: 0x7f },
    flags: 'AF OF',
  },
];

describe.each([
  ['sub', SUBTRACTIONS],
  ['cmp', COMPARISONS],
  ['sbb', WITH_BORROW],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
