import { describe, expect, it } from 'vitest';
import type { InstructionRow } from '../rig.ts';
import { CODE, DATA, NOWHERE, outcome, STACK, START, stated, TOP, titled } from '../rig.ts';

/** `START + 5` as it lies in memory. */
const PUSHED = '050100c0ffffffff';

const CALLS: readonly InstructionRow[] = [
  {
    asm: 'call 0xffffffffc0000120',
    bytes: 'e81b000000',
    after: { rip: START + 0x20n, rsp: TOP - 8n, 'stack+0x78': PUSHED },
  },
  {
    asm: 'call 0xffffffffc0000000',
    bytes: 'e8fbfeffff',
    after: { rip: CODE, rsp: TOP - 8n, 'stack+0x78': PUSHED },
  },
  {
    asm: 'call *%rax',
    bytes: 'ffd0',
    before: { rax: CODE + 8n },
    after: { rip: CODE + 8n, rsp: TOP - 8n, 'stack+0x78': '020100c0ffffffff' },
  },
  {
    asm: 'call *%rsp',
    bytes: 'ffd4',
    after: { rsp: TOP - 8n, 'stack+0x78': '020100c0ffffffff' },
    stop: 'fetch of 1 byte at stack+0x80: not executable',
  },
  {
    asm: 'callq *0x8(%rdi)',
    bytes: 'ff5708',
    before: { rdi: DATA, 'data+0x8': '400000c0ffffffff' },
    after: { rip: CODE + 0x40n, rsp: TOP - 8n, 'stack+0x78': '030100c0ffffffff' },
  },
  {
    asm: 'callq *(%rsp)',
    bytes: 'ff1424',
    before: { 'stack+0x80': '400000c0ffffffff' },
    after: { rip: CODE + 0x40n, rsp: TOP - 8n, 'stack+0x78': '030100c0ffffffff' },
  },
  {
    asm: 'call 0xffffffffc0000120',
    bytes: 'e81b000000',
    before: { rsp: NOWHERE },
    stop: 'write of 8 bytes at 0xffffc90000effff8: unmapped',
  },
];

const JUMPS: readonly InstructionRow[] = [
  { asm: 'jmp 0xffffffffc0000120', bytes: 'eb1e', after: { rip: START + 0x20n } },
  { asm: 'jmp 0xffffffffc00000f2', bytes: 'ebf0', after: { rip: START - 0xen } },
  { asm: 'jmp 0xffffffffc0000120', bytes: 'e91b000000', after: { rip: START + 0x20n } },
  { asm: 'jmp 0xffffffffc0000000', bytes: 'e9fbfeffff', after: { rip: CODE } },
  { asm: 'jmp *%r11', bytes: '41ffe3', before: { r11: CODE }, after: { rip: CODE } },
  {
    asm: 'jmpq *-0x8(%rdi)',
    bytes: 'ff67f8',
    before: { rdi: DATA + 8n, 'data+0x0': '400000c0ffffffff' },
    after: { rip: CODE + 0x40n },
  },
  {
    asm: 'jmpq *%gs:0x8',
    bytes: '65ff242508000000',
    before: { 'percpu+0x8': '400000c0ffffffff' },
    after: { rip: CODE + 0x40n },
  },
  {
    asm: 'jmp *%rax',
    bytes: 'ffe0',
    before: { rax: 0 },
    stop: 'fetch of 1 byte at 0x0: unmapped',
  },
];

const CONDITIONAL: readonly InstructionRow[] = [
  { asm: 'je 0xffffffffc0000120', bytes: '741e', before: { flags: 'ZF' }, after: { rip: START + 0x20n } },
  { asm: 'je 0xffffffffc0000120', bytes: '741e' },
  { asm: 'jne 0xffffffffc0000120', bytes: '751e', after: { rip: START + 0x20n } },
  { asm: 'jne 0xffffffffc00000f2', bytes: '75f0', before: { flags: 'ZF' } },
  {
    asm: 'je 0xffffffffc0000120',
    bytes: '0f841a000000',
    before: { flags: 'ZF' },
    after: { rip: START + 0x20n },
  },
  { asm: 'jne 0xffffffffc0000000', bytes: '0f85fafeffff', after: { rip: CODE } },
  { asm: 'ja 0xffffffffc0000120', bytes: '0f871a000000', before: { flags: 'CF' } },
  { asm: 'jl 0xffffffffc0000120', bytes: '7c1e', before: { flags: 'SF' }, after: { rip: START + 0x20n } },
  { asm: 'jl 0xffffffffc0000120', bytes: '7c1e', before: { flags: 'SF OF' } },
];

/** A branch hint is a segment prefix before the branch; the displacement keeps its size. */
const HINTED: readonly InstructionRow[] = [
  {
    asm: 'je,pt 0xffffffffc0000121',
    bytes: '3e741e',
    before: { flags: 'ZF' },
    after: { rip: START + 0x21n },
  },
  { asm: 'jne,pn 0xffffffffc0000121', bytes: '2e751e', after: { rip: START + 0x21n } },
  { asm: 'jmp 0xffffffffc0000121', bytes: '3eeb1e', after: { rip: START + 0x21n } },
  { asm: 'jmp 0xffffffffc0000123', bytes: '2e2e3eeb1e', after: { rip: START + 0x23n } },
  { asm: 'jmp 0xffffffffc0000121', bytes: '3ee91b000000', after: { rip: START + 0x21n } },
  {
    asm: 'call 0xffffffffc0000121',
    bytes: '3ee81b000000',
    after: { rip: START + 0x21n, rsp: TOP - 8n, 'stack+0x78': '060100c0ffffffff' },
  },
];

const RETURNS: readonly InstructionRow[] = [
  {
    asm: 'ret',
    bytes: 'c3',
    before: { 'stack+0x80': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: TOP + 8n },
  },
  {
    asm: 'rep ret',
    bytes: 'f3c3',
    before: { 'stack+0x80': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: TOP + 8n },
  },
  {
    asm: 'ret $0x10',
    bytes: 'c21000',
    before: { 'stack+0x80': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: TOP + 0x18n },
  },
  {
    asm: 'ret $0xfff8',
    bytes: 'c2f8ff',
    before: { 'stack+0x80': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: TOP + 0x10000n },
  },
  {
    asm: 'ret',
    bytes: 'c3',
    before: { rsp: STACK + 0xf8n, 'stack+0xf8': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: STACK + 0x100n },
  },
  {
    asm: 'ret',
    bytes: 'c3',
    before: { rsp: STACK + 0x100n },
    stop: 'read of 8 bytes at 0xffffc90000100100: unmapped',
  },
  {
    asm: 'ret',
    bytes: 'c3',
    before: { rsp: DATA, 'data+0x0': '080000c0ffffffff' },
    after: { rip: CODE + 8n, rsp: DATA + 8n },
  },
  {
    asm: 'ret',
    bytes: 'c3',
    before: { 'stack+0x80': '000020000000c9ff' },
    after: { rsp: TOP + 8n },
    stop: 'fetch of 1 byte at 0xffc9000000200000: unmapped',
  },
];

describe.each([
  ['call', CALLS],
  ['jmp', JUMPS],
  ['jcc', CONDITIONAL],
  ['branches with a hint', HINTED],
  ['ret', RETURNS],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
