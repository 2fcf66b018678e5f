import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { DATA, outcome, stated, titled } from './rig.ts';

const ADDITIONS: readonly InstructionRow[] = [
  { asm: 'add %rcx,%rax', bytes: '4801c8', before: { rax: 1, rcx: 2 }, after: { rax: 3 }, flags: 'PF' },
  {
    asm: 'add %rcx,%rax',
    bytes: '4801c8',
    before: { rax: 0xffffffffn, rcx: 1 },
    after: { rax: 0x100000000n },
    flags: 'PF AF',
  },
  {
    asm: 'add %rcx,%rax',
    bytes: '4801c8',
    before: { rax: -1n, rcx: 1 },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'add %rcx,%rax',
    bytes: '4801c8',
    before: { rax: -1n, rcx: -1n },
    after: { rax: -2n },
    flags: 'CF AF SF',
  },
  {
    asm: 'add $0x1,%rax',
    bytes: '4883c001',
    before: { rax: 0x7fffffffffffffffn },
    after: { rax: 0x8000000000000000n },
    flags: 'PF AF SF OF',
  },
  {
    asm: 'add %rcx,%rax',
    bytes: '4801c8',
    before: { rax: 1n << 63n, rcx: 1n << 63n },
    after: { rax: 0 },
    flags: 'CF PF ZF OF',
  },
  {
    asm: 'add $0x1,%eax',
    bytes: '83c001',
    before: { rax: 0x1_ffffffffn },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'add $0x1,%eax',
    bytes: '83c001',
    before: { rax: 0x1_7fffffffn },
    after: { rax: 0x80000000 },
    flags: 'PF AF SF OF',
  },
  {
    asm: 'add $0x1,%ax',
    bytes: '6683c001',
    before: { rax: 0x1_0001ffffn },
    after: { rax: 0x1_00010000n },
    flags: 'CF PF AF ZF',
  },
  { asm: 'add $0x1,%al', bytes: '0401', before: { rax: 0x1ff }, after: { rax: 0x100 }, flags: 'CF PF AF ZF' },
  { asm: 'add $0x1,%al', bytes: '0401', before: { rax: 0x7f }, after: { rax: 0x80 }, flags: 'AF SF OF' },
  {
    asm: 'add %ah,%bl',
    bytes: '00e3',
    before: { rax: 0x8000, rbx: 0x80 },
    after: { rbx: 0 },
    flags: 'CF PF ZF OF',
  },
  { asm: 'add $0xf,%dh', bytes: '80c60f', before: { rdx: 0x0101 }, after: { rdx: 0x1001 }, flags: 'AF' },
  {
    asm: 'add $0xffffffff80000000,%rax',
    bytes: '480500000080',
    before: { rax: 0 },
    after: { rax: 0xffffffff80000000n },
    flags: 'PF SF',
  },
  {
    asm: 'add $0xffffffffffffffff,%rcx',
    bytes: '4883c1ff',
    before: { rcx: 1 },
    after: { rcx: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'add 0x8(%rdi),%rax',
    bytes: '48034708',
    before: { rdi: DATA, rax: 0 },
    after: { rax: 0x0f0e0d0c0b0a0908n },
    flags: '',
  },
  {
    asm: 'add %eax,(%rdi)',
    bytes: '0107',
    before: { rdi: DATA },
    after: { 'data+0x0': '08080808' },
    flags: '',
  },
  {
    asm: 'addb $0x80,0x7f(%rdi)',
    bytes: '80477f80',
    before: { rdi: DATA },
    after: { 'data+0x7f': 'ff' },
    flags: 'PF SF',
  },
  {
    asm: 'add $0x80,%rsp',
    bytes: '4881c480000000',
    before: { rsp: 0x7fffffffffffffffn },
    after: { rsp: 0x800000000000007fn },
    flags: 'SF OF',
  },
  {
    asm: 'add $0x10,%rsp',
    bytes: '4883c410',
    before: { rsp: 0xfffffff8n },
    after: { rsp: 0x100000008n },
    flags: '',
  },
  {
    asm: 'add $0xfffffffffffffff8,%rsp',
    bytes: '4883c4f8',
    before: { rsp: 0x100000000n },
    after: { rsp: 0xfffffff8n },
    flags: 'CF',
  },
  {
    asm: 'add $0xffffffff80000000,%rsp',
    bytes: '4881c400000080',
    before: { rsp: 0x180000000n },
    after: { rsp: 0x100000000n },
    flags: 'CF PF',
  },
];

const WITH_CARRY: readonly InstructionRow[] = [
  { asm: 'adc $0x0,%rax', bytes: '4883d000', before: { rax: 1 }, after: { rax: 1 }, flags: '' },
  { asm: 'adc $0x0,%rax', bytes: '4883d000', before: { rax: 1, flags: 'CF' }, after: { rax: 2 }, flags: '' },
  {
    asm: 'adc $0x0,%rax',
    bytes: '4883d000',
    before: { rax: -1n, flags: 'CF' },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'adc %rcx,%rax',
    bytes: '4811c8',
    before: { rax: 0, rcx: -1n, flags: 'CF' },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
  {
    asm: 'adc %rcx,%rax',
    bytes: '4811c8',
    before: { rax: -1n, rcx: -1n, flags: 'CF' },
    after: { rax: -1n },
    flags: 'CF PF AF SF',
  },
  {
    asm: 'adc %ecx,%eax',
    bytes: '11c8',
    before: { rax: 0x7fffffff, rcx: 0, flags: 'CF' },
    after: { rax: 0x80000000 },
    flags: 'PF AF SF OF',
  },
  {
    asm: 'adc %cl,%al',
    bytes: '10c8',
    before: { rax: 0x80, rcx: 0x7f, flags: 'CF' },
    after: { rax: 0 },
    flags: 'CF PF AF ZF',
  },
];

describe.each([
  ['add', ADDITIONS],
  ['adc', WITH_CARRY],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
