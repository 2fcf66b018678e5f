import { describe, expect, it } from 'vitest';
import type { InstructionRow } from '../rig.ts';
import { DATA, FIXED, outcome, STACK, stated, TOP, titled } from '../rig.ts';

const PUSHES: readonly InstructionRow[] = [
  { asm: 'push %rax', bytes: '50', after: { rsp: TOP - 8n, 'stack+0x78': '0807060504030201' } },
  { asm: 'push %r15', bytes: '4157', after: { rsp: TOP - 8n, 'stack+0x78': 'f8f7f6f5f4f3f2f1' } },
  { asm: 'push %rsp', bytes: '54', after: { rsp: TOP - 8n, 'stack+0x78': '8000100000c9ffff' } },
  { asm: 'push $0x12', bytes: '6a12', after: { rsp: TOP - 8n, 'stack+0x78': '1200000000000000' } },
  {
    asm: 'push $0xfffffffffffffffe',
    bytes: '6afe',
    after: { rsp: TOP - 8n, 'stack+0x78': 'feffffffffffffff' },
  },
  {
    asm: 'push $0xffffffff80000000',
    bytes: '6800000080',
    after: { rsp: TOP - 8n, 'stack+0x78': '00000080ffffffff' },
  },
  {
    asm: 'pushq 0x8(%rdi)',
    bytes: 'ff7708',
    before: { rdi: DATA },
    after: { rsp: TOP - 8n, 'stack+0x78': '08090a0b0c0d0e0f' },
  },
  { asm: 'pushq 0x8(%rsp)', bytes: 'ff742408', after: { rsp: TOP - 8n, 'stack+0x78': '88898a8b8c8d8e8f' } },
  {
    asm: 'pushq %gs:0x10',
    bytes: '65ff342510000000',
    after: { rsp: TOP - 8n, 'stack+0x78': '1011121314151617' },
  },
  {
    asm: 'push %rcx',
    bytes: '51',
    before: { rsp: STACK + 0x7dn },
    after: { rsp: STACK + 0x75n, 'stack+0x75': '1817161514131211' },
  },
  {
    asm: 'push %rcx',
    bytes: '51',
    before: { rsp: STACK + 8n },
    after: { rsp: STACK, 'stack+0x0': '1817161514131211' },
  },
  {
    asm: 'push %rcx',
    bytes: '51',
    before: { rsp: STACK },
    stop: 'write of 8 bytes at 0xffffc900000ffff8: unmapped',
  },
  {
    asm: 'push %rcx',
    bytes: '51',
    before: { rsp: STACK + 0xc8n },
    stop: 'write of 8 bytes at stack+0xc0: not writable',
  },
];

const POPS: readonly InstructionRow[] = [
  { asm: 'pop %rax', bytes: '58', after: { rsp: TOP + 8n, rax: 0x8786858483828180n } },
  { asm: 'pop %r8', bytes: '4158', after: { rsp: TOP + 8n, r8: 0x8786858483828180n } },
  { asm: 'pop %rsp', bytes: '5c', after: { rsp: 0x8786858483828180n } },
  {
    asm: 'popq (%rdi)',
    bytes: '8f07',
    before: { rdi: DATA },
    after: { rsp: TOP + 8n, 'data+0x0': '8081828384858687' },
  },
  { asm: 'popq 0x8(%rsp)', bytes: '8f442408', after: { rsp: TOP + 8n, 'stack+0x90': '8081828384858687' } },
  {
    asm: 'popq (%rdi)',
    bytes: '8f07',
    before: { rdi: FIXED },
    stop: 'write of 8 bytes at fixed+0x0: not writable',
  },
  {
    asm: 'pop %rax',
    bytes: '58',
    before: { rsp: STACK + 0xf8n },
    after: { rsp: STACK + 0x100n, rax: 0xfffefdfcfbfaf9f8n },
  },
  {
    asm: 'pop %rax',
    bytes: '58',
    before: { rsp: STACK + 0x100n },
    stop: 'read of 8 bytes at 0xffffc90000100100: unmapped',
  },
  {
    asm: 'pop %rax',
    bytes: '58',
    before: { rsp: STACK + 0xfcn },
    stop: 'read of 8 bytes at stack+0xfc: unmapped',
  },
  {
    asm: 'pop %rax',
    bytes: '58',
    before: { rsp: DATA },
    after: { rsp: DATA + 8n, rax: 0x0706050403020100n },
  },
];

const FRAMES: readonly InstructionRow[] = [
  {
    asm: 'leave',
    bytes: 'c9',
    before: { rbp: STACK + 0xa0n },
    after: { rsp: STACK + 0xa8n, rbp: 0xa7a6a5a4a3a2a1a0n },
  },
  {
    asm: 'leave',
    bytes: 'c9',
    before: { rbp: STACK + 0x10n },
    after: { rsp: STACK + 0x18n, rbp: 0x1716151413121110n },
  },
  {
    asm: 'leave',
    bytes: 'c9',
    before: { rbp: STACK + 0xf8n },
    after: { rsp: STACK + 0x100n, rbp: 0xfffefdfcfbfaf9f8n },
  },
  { asm: 'leave', bytes: 'c9', before: { rbp: 0x10 }, stop: 'read of 8 bytes at 0x10: unmapped' },
];

const FLAGS: readonly InstructionRow[] = [
  { asm: 'pushf', bytes: '9c', after: { rsp: TOP - 8n, 'stack+0x78': '0202000000000000' } },
  {
    asm: 'pushf',
    bytes: '9c',
    before: { flags: 'CF PF AF ZF SF OF' },
    after: { rsp: TOP - 8n, 'stack+0x78': 'd70a000000000000' },
  },
  {
    asm: 'popf',
    bytes: '9d',
    before: { 'stack+0x80': 'd70a000000000000' },
    after: { rsp: TOP + 8n },
    flags: 'CF PF AF ZF SF OF',
  },
  {
    asm: 'popf',
    bytes: '9d',
    before: { 'stack+0x80': '0202000000000000', flags: 'CF OF' },
    after: { rsp: TOP + 8n },
    flags: '',
  },
  {
    asm: 'popf',
    bytes: '9d',
    before: { 'stack+0x80': '4100000000000000' },
    after: { rsp: TOP + 8n },
    flags: 'CF ZF',
  },
];

describe.each([
  ['push', PUSHES],
  ['pop', POPS],
  ['leave', FRAMES],
  ['pushf and popf', FLAGS],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
