import { describe, expect, it } from 'vitest';
import type { InstructionRow } from '../rig.ts';
import { DATA, FIXED, HEAP, NOWHERE, outcome, stated, TOP, titled } from '../rig.ts';

const BETWEEN_REGISTERS: readonly InstructionRow[] = [
  { asm: 'mov %rcx,%rax', bytes: '4889c8', after: { rax: 0x1112131415161718n } },
  { asm: 'mov %ecx,%eax', bytes: '89c8', after: { rax: 0x15161718 } },
  { asm: 'mov %eax,%eax', bytes: '89c0', after: { rax: 0x05060708 } },
  { asm: 'mov %cx,%ax', bytes: '6689c8', after: { rax: 0x0102030405061718n } },
  { asm: 'mov %cl,%al', bytes: '88c8', after: { rax: 0x0102030405060718n } },
  { asm: 'mov %ch,%al', bytes: '88e8', after: { rax: 0x0102030405060717n } },
  { asm: 'mov %al,%ch', bytes: '88c5', after: { rcx: 0x1112131415160818n } },
  { asm: 'mov %bh,%dh', bytes: '88fe', after: { rdx: 0x2122232425263728n } },
  { asm: 'mov %sil,%dil', bytes: '4088f7', after: { rdi: 0x7172737475767768n } },
  { asm: 'mov %r9d,%r10d', bytes: '4589ca', after: { r10: 0x95969798 } },
  { asm: 'mov %r15b,%r8b', bytes: '4588f8', after: { r8: 0x81828384858687f8n } },
  { asm: 'mov %rsp,%rbp', bytes: '4889e5', after: { rbp: TOP } },
  { asm: 'mov %r12,%r13', bytes: '4d8bec', after: { r13: 0xc1c2c3c4c5c6c7c8n } },
];

const IMMEDIATES: readonly InstructionRow[] = [
  {
    asm: 'movabs $0x1122334455667788,%rax',
    bytes: '48b88877665544332211',
    after: { rax: 0x1122334455667788n },
  },
  { asm: 'mov $0xffffffff,%eax', bytes: 'b8ffffffff', after: { rax: 0xffffffff } },
  { asm: 'mov $0xffffffffffffffff,%rax', bytes: '48c7c0ffffffff', after: { rax: 0xffffffffffffffffn } },
  { asm: 'mov $0x80000000,%r9d', bytes: '41b900000080', after: { r9: 0x80000000 } },
  { asm: 'mov $0x8000,%ax', bytes: '66b80080', after: { rax: 0x0102030405068000n } },
  { asm: 'mov $0x7f,%al', bytes: 'b07f', after: { rax: 0x010203040506077fn } },
  { asm: 'mov $0xff,%ah', bytes: 'b4ff', after: { rax: 0x010203040506ff08n } },
  { asm: 'mov $0x7f,%r12b', bytes: '41b47f', after: { r12: 0xc1c2c3c4c5c6c77fn } },
];

const rdi = (address: bigint) => ({ rdi: address });

const LOADS: readonly InstructionRow[] = [
  { asm: 'mov (%rdi),%rax', bytes: '488b07', before: rdi(DATA), after: { rax: 0x0706050403020100n } },
  { asm: 'mov 0x8(%rdi),%eax', bytes: '8b4708', before: rdi(DATA), after: { rax: 0x0b0a0908 } },
  { asm: 'mov 0x3(%rdi),%ax', bytes: '668b4703', before: rdi(DATA), after: { rax: 0x0102030405060403n } },
  { asm: 'mov 0x3(%rdi),%rax', bytes: '488b4703', before: rdi(DATA), after: { rax: 0x0a09080706050403n } },
  {
    asm: 'mov -0x1(%rdi),%al',
    bytes: '8a47ff',
    before: rdi(DATA + 0x31n),
    after: { rax: 0x0102030405060730n },
  },
  { asm: 'mov (%rdi),%dh', bytes: '8a37', before: rdi(DATA + 0xffn), after: { rdx: 0x212223242526ff28n } },
  {
    asm: 'mov 0x12345678(%rdi),%al',
    bytes: '8a8778563412',
    before: rdi(DATA - 0x12345638n),
    after: { rax: 0x0102030405060740n },
  },
  { asm: 'mov (%rdi),%rdi', bytes: '488b3f', before: rdi(DATA + 0xf8n), after: { rdi: 0xfffefdfcfbfaf9f8n } },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(FIXED + 0x38n),
    after: { rax: 0x3f3e3d3c3b3a3938n },
  },
  { asm: 'mov 0x8(%rsp),%rax', bytes: '488b442408', after: { rax: 0x8f8e8d8c8b8a8988n } },
  { asm: 'mov (%r12),%rax', bytes: '498b0424', before: { r12: DATA }, after: { rax: 0x0706050403020100n } },
  { asm: 'mov (%r13),%rax', bytes: '498b4500', before: { r13: DATA }, after: { rax: 0x0706050403020100n } },
  {
    asm: 'mov 0x10(%rdi,%rcx,8),%rax',
    bytes: '488b44cf10',
    before: { rdi: DATA, rcx: 2 },
    after: { rax: 0x2726252423222120n },
  },
  {
    asm: 'mov (%rdi,%r9),%al',
    bytes: '428a040f',
    before: { rdi: DATA + 0x10n, r9: -1n },
    after: { rax: 0x010203040506070fn },
  },
  {
    asm: 'mov 0x8(,%rcx,8),%rax',
    bytes: '488b04cd08000000',
    before: { rcx: DATA / 8n },
    after: { rax: 0x0f0e0d0c0b0a0908n },
  },
  { asm: 'mov 0xffffffffc0000110,%rax', bytes: '488b0509000000', after: { rax: 0x9090909090909090n } },
  { asm: 'mov %gs:0x8,%rax', bytes: '65488b042508000000', after: { rax: 0x0f0e0d0c0b0a0908n } },
  { asm: 'mov %gs:-0x8(%rcx),%eax', bytes: '658b41f8', before: { rcx: 0x18 }, after: { rax: 0x13121110 } },
  {
    asm: 'mov %gs:0x10(%rcx,%rdx,4),%r8b',
    bytes: '65448a449110',
    before: { rcx: 4, rdx: 2 },
    after: { r8: 0x818283848586871cn },
  },
];

const STORES: readonly InstructionRow[] = [
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(DATA + 8n),
    after: { 'data+0x8': '0807060504030201' },
  },
  {
    asm: 'mov %rax,0x5(%rdi)',
    bytes: '48894705',
    before: rdi(DATA),
    after: { 'data+0x5': '0807060504030201' },
  },
  { asm: 'mov %eax,(%rdi)', bytes: '8907', before: rdi(DATA), after: { 'data+0x0': '08070605' } },
  { asm: 'mov %ax,(%rdi)', bytes: '668907', before: rdi(DATA), after: { 'data+0x0': '0807' } },
  { asm: 'mov %al,(%rdi)', bytes: '8807', before: rdi(DATA), after: { 'data+0x0': '08' } },
  { asm: 'mov %ah,0x1(%rdi)', bytes: '886701', before: rdi(DATA), after: { 'data+0x1': '07' } },
  {
    asm: 'mov %r8,(%rdi)',
    bytes: '4c8907',
    before: rdi(HEAP + 0x38n),
    after: { 'heap+0x38': '8887868584838281' },
  },
  { asm: 'mov %rdi,0x40(%rsp)', bytes: '48897c2440', stop: 'write of 8 bytes at stack+0xc0: not writable' },
  { asm: 'mov %rdi,0x38(%rsp)', bytes: '48897c2438', after: { 'stack+0xb8': '7877767574737271' } },
  {
    asm: 'movq $0xffffffff80000000,(%rdi)',
    bytes: '48c70700000080',
    before: rdi(DATA),
    after: { 'data+0x0': '00000080ffffffff' },
  },
  {
    asm: 'movl $0x80000001,(%rdi)',
    bytes: 'c70701000080',
    before: rdi(DATA),
    after: { 'data+0x0': '01000080' },
  },
  { asm: 'movw $0x1234,0x2(%rdi)', bytes: '66c747023412', before: rdi(DATA), after: { 'data+0x2': '3412' } },
  { asm: 'movb $0xfe,0xf(%rdi)', bytes: 'c6470ffe', before: rdi(DATA), after: { 'data+0xf': 'fe' } },
  { asm: 'mov %rax,%gs:0x10', bytes: '654889042510000000', after: { 'percpu+0x10': '0807060504030201' } },
  {
    asm: 'movq $0x7,%gs:(%rcx)',
    bytes: '6548c70107000000',
    before: { rcx: 0x20 },
    after: { 'percpu+0x20': '0700000000000000' },
  },
  {
    asm: 'mov %ecx,0x4(%rdi,%rcx,4)',
    bytes: '894c8f04',
    before: { rdi: DATA, rcx: 3 },
    after: { 'data+0x10': '03000000' },
  },
];

const ADDRESSES: readonly InstructionRow[] = [
  { asm: 'lea 0x8(%rdi),%rax', bytes: '488d4708', before: rdi(NOWHERE), after: { rax: NOWHERE + 8n } },
  { asm: 'lea -0x8(%rsp),%rsp', bytes: '488d6424f8', after: { rsp: TOP - 8n } },
  { asm: 'lea 0x10(%rdi),%rax', bytes: '488d4710', before: rdi(0xfffffff8n), after: { rax: 0x100000008n } },
  { asm: 'lea -0x10(%rdi),%rax', bytes: '488d47f0', before: rdi(8n), after: { rax: 0xfffffffffffffff8n } },
  {
    asm: 'lea (%rcx,%rcx,8),%rax',
    bytes: '488d04c9',
    before: { rcx: 0x4000000020000001n },
    after: { rax: 0x4000000120000009n },
  },
  { asm: 'lea 0x8(%rdi),%eax', bytes: '8d4708', before: rdi(0x1fffffffcn), after: { rax: 4 } },
  { asm: 'lea 0x8(%rdi),%ax', bytes: '668d4708', before: rdi(0x1fffcn), after: { rax: 0x0102030405060004n } },
  { asm: 'lea 0xffffffffc0000110,%rax', bytes: '488d0509000000', after: { rax: 0xffffffffc0000110n } },
  { asm: 'lea 0x8(%rdi),%rax', bytes: '65488d4708', before: rdi(0x10n), after: { rax: 0x18 } },
];

const EXCHANGES: readonly InstructionRow[] = [
  { asm: 'xchg %rcx,%rdx', bytes: '4887ca', after: { rcx: 0x2122232425262728n, rdx: 0x1112131415161718n } },
  { asm: 'xchg %ecx,%edx', bytes: '87ca', after: { rcx: 0x25262728, rdx: 0x15161718 } },
  { asm: 'xchg %rax,%r8', bytes: '4990', after: { rax: 0x8182838485868788n, r8: 0x0102030405060708n } },
  { asm: 'xchg %eax,%ecx', bytes: '91', after: { rax: 0x15161718, rcx: 0x05060708 } },
  { asm: 'xchg %ax,%dx', bytes: '6692', after: { rax: 0x0102030405062728n, rdx: 0x2122232425260708n } },
  { asm: 'xchg %al,%ah', bytes: '86c4', after: { rax: 0x0102030405060807n } },
  {
    asm: 'xchg %rax,(%rdi)',
    bytes: '488707',
    before: rdi(DATA),
    after: { rax: 0x0706050403020100n, 'data+0x0': '0807060504030201' },
  },
  {
    asm: 'xchg %eax,(%rax)',
    bytes: '8700',
    before: { rax: DATA },
    after: { rax: 0x03020100, 'data+0x0': '00002000' },
  },
  { asm: 'bswap %rax', bytes: '480fc8', after: { rax: 0x0807060504030201n } },
  { asm: 'bswap %ecx', bytes: '0fc9', after: { rcx: 0x18171615 } },
  { asm: 'bswap %r15d', bytes: '410fcf', after: { r15: 0xf8f7f6f5 } },
];

describe.each([
  ['mov between registers', BETWEEN_REGISTERS],
  ['mov of an immediate', IMMEDIATES],
  ['loads', LOADS],
  ['stores', STORES],
  ['lea', ADDRESSES],
  ['xchg and bswap', EXCHANGES],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
