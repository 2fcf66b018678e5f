import { describe, expect, it } from 'vitest';
import type { InstructionRow } from '../rig.ts';
import { DATA, outcome, stated, titled } from '../rig.ts';

const UNARY: readonly InstructionRow[] = [
  { asm: 'not %rax', bytes: '48f7d0', before: { flags: 'CF ZF' }, after: { rax: 0xfefdfcfbfaf9f8f7n } },
  { asm: 'not %eax', bytes: 'f7d0', after: { rax: 0xfaf9f8f7 } },
  { asm: 'not %ax', bytes: '66f7d0', after: { rax: 0x010203040506f8f7n } },
  { asm: 'not %ah', bytes: 'f6d4', after: { rax: 0x010203040506f808n } },
  { asm: 'notw (%rdi)', bytes: '66f717', before: { rdi: DATA }, after: { 'data+0x0': 'fffe' } },
  { asm: 'neg %rax', bytes: '48f7d8', before: { rax: 1 }, after: { rax: -1n }, flags: 'CF PF AF SF' },
  { asm: 'neg %rax', bytes: '48f7d8', before: { rax: 0, flags: 'CF' }, after: { rax: 0 }, flags: 'PF ZF' },
  {
    asm: 'neg %rax',
    bytes: '48f7d8',
    before: { rax: 1n << 63n },
    after: { rax: 1n << 63n },
    flags: 'CF PF SF OF',
  },
  {
    asm: 'neg %rax',
    bytes: '48f7d8',
    before: { rax: 1n << 32n },
    after: { rax: -1n << 32n },
    flags: 'CF PF SF',
  },
  {
    asm: 'neg %eax',
    bytes: 'f7d8',
    before: { rax: 0x100000002n },
    after: { rax: 0xfffffffe },
    flags: 'CF AF SF',
  },
  { asm: 'neg %cl', bytes: 'f6d9', before: { rcx: 0x180 }, after: { rcx: 0x180 }, flags: 'CF SF OF' },
  {
    asm: 'negb 0x1(%rdi)',
    bytes: 'f65f01',
    before: { rdi: DATA },
    after: { 'data+0x1': 'ff' },
    flags: 'CF PF AF SF',
  },
  { asm: 'inc %rax', bytes: '48ffc0', before: { rax: -1n }, after: { rax: 0 }, flags: 'PF AF ZF' },
  {
    asm: 'inc %rax',
    bytes: '48ffc0',
    before: { rax: 0x7fffffffffffffffn, flags: 'CF' },
    after: { rax: 1n << 63n },
    flags: 'CF PF AF SF OF',
  },
  { asm: 'inc %eax', bytes: 'ffc0', before: { rax: 0x1ffffffffn }, after: { rax: 0 }, flags: 'PF AF ZF' },
  { asm: 'inc %ax', bytes: '66ffc0', before: { rax: 0x1ffff }, after: { rax: 0x10000 }, flags: 'PF AF ZF' },
  { asm: 'incl %gs:0x8', bytes: '65ff042508000000', after: { 'percpu+0x8': '09' }, flags: 'PF' },
  { asm: 'dec %rax', bytes: '48ffc8', before: { rax: 0 }, after: { rax: -1n }, flags: 'PF AF SF' },
  {
    asm: 'dec %rax',
    bytes: '48ffc8',
    before: { rax: 1n << 63n, flags: 'CF' },
    after: { rax: 0x7fffffffffffffffn },
    flags: 'CF PF AF OF',
  },
  { asm: 'dec %r8d', bytes: '41ffc8', before: { r8: 0x900000001n }, after: { r8: 0 }, flags: 'PF ZF' },
  { asm: 'dec %bh', bytes: 'fecf', before: { rbx: 0x10000 }, after: { rbx: 0x1ff00 }, flags: 'PF AF SF' },
  {
    asm: 'decq (%rdi)',
    bytes: '48ff0f',
    before: { rdi: DATA },
    after: { 'data+0x0': 'ff00020304050607' },
    flags: 'PF AF',
  },
];

const EXTENSIONS: readonly InstructionRow[] = [
  { asm: 'movzbl %cl,%eax', bytes: '0fb6c1', before: { rcx: 0x1ff }, after: { rax: 0xff } },
  { asm: 'movzbl %ch,%eax', bytes: '0fb6c5', after: { rax: 0x17 } },
  { asm: 'movzbl %sil,%r8d', bytes: '440fb6c6', after: { r8: 0x68 } },
  { asm: 'movzbw %cl,%ax', bytes: '660fb6c1', after: { rax: 0x0102030405060018n } },
  { asm: 'movzbq %cl,%rax', bytes: '480fb6c1', after: { rax: 0x18 } },
  { asm: 'movzwl %cx,%eax', bytes: '0fb7c1', before: { rcx: 0x1ffff }, after: { rax: 0xffff } },
  { asm: 'movzwq 0x1(%rdi),%rax', bytes: '480fb74701', before: { rdi: DATA }, after: { rax: 0x0201 } },
  { asm: 'movzbl 0xff(%rdi),%eax', bytes: '0fb687ff000000', before: { rdi: DATA }, after: { rax: 0xff } },
  { asm: 'movsbl %cl,%eax', bytes: '0fbec1', before: { rcx: 0x80 }, after: { rax: 0xffffff80 } },
  { asm: 'movsbl %ah,%ecx', bytes: '0fbecc', before: { rax: 0x7f80 }, after: { rcx: 0x7f } },
  { asm: 'movsbw %cl,%ax', bytes: '660fbec1', before: { rcx: 0x80 }, after: { rax: 0x010203040506ff80n } },
  { asm: 'movsbq %cl,%rax', bytes: '480fbec1', before: { rcx: 0x180 }, after: { rax: -0x80n } },
  { asm: 'movswl %cx,%eax', bytes: '0fbfc1', before: { rcx: 0x8000 }, after: { rax: 0xffff8000 } },
  { asm: 'movswq %cx,%rax', bytes: '480fbfc1', before: { rcx: 0x18000 }, after: { rax: -0x8000n } },
  { asm: 'movslq %ecx,%rax', bytes: '4863c1', before: { rcx: 0x180000000n }, after: { rax: -0x80000000n } },
  { asm: 'movslq %ecx,%rax', bytes: '4863c1', before: { rcx: 0x17fffffffn }, after: { rax: 0x7fffffff } },
  {
    asm: 'movslq 0xfc(%rdi),%r9',
    bytes: '4c638ffc000000',
    before: { rdi: DATA },
    after: { r9: -0x00010204n },
  },
  { asm: 'movsbq %gs:0x8,%rax', bytes: '65480fbe042508000000', after: { rax: 8 } },
];

const CONVERSIONS: readonly InstructionRow[] = [
  { asm: 'cbtw', bytes: '6698', before: { rax: 0x1_0000_0080n }, after: { rax: 0x1_0000_ff80n } },
  { asm: 'cbtw', bytes: '6698', before: { rax: 0xff7f }, after: { rax: 0x007f } },
  { asm: 'cwtl', bytes: '98', before: { rax: 0x1_0000_8000n }, after: { rax: 0xffff8000 } },
  { asm: 'cltq', bytes: '4898', before: { rax: 0x1_8000_0000n }, after: { rax: -0x80000000n } },
  { asm: 'cltq', bytes: '4898', before: { rax: 0x1_7fff_ffffn }, after: { rax: 0x7fffffff } },
  { asm: 'cwtd', bytes: '6699', before: { rax: 0x8000, rdx: 0x10000 }, after: { rdx: 0x1ffff } },
  { asm: 'cltd', bytes: '99', before: { rax: 0x80000000 }, after: { rdx: 0xffffffff } },
  { asm: 'cltd', bytes: '99', before: { rax: 0x1_7fff_ffffn }, after: { rdx: 0 } },
  { asm: 'cqto', bytes: '4899', before: { rax: 1n << 63n }, after: { rdx: -1n } },
  { asm: 'cqto', bytes: '4899', before: { rax: 0x80000000 }, after: { rdx: 0 } },
];

describe.each([
  ['not, neg, inc and dec', UNARY],
  ['zero and sign extension', EXTENSIONS],
  ['conversions of the accumulator', CONVERSIONS],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
