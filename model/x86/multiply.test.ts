import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { DATA, outcome, stated, titled } from './rig.ts';

/** All but CF and OF are undefined after a multiply. */
const FITS = '?PF ?AF ?ZF ?SF';
const TRUNCATED = `CF OF ${FITS}`;

const TRUNCATING: readonly InstructionRow[] = [
  { asm: 'imul %rcx,%rax', bytes: '480fafc1', before: { rax: 6, rcx: 7 }, after: { rax: 42 }, flags: FITS },
  {
    asm: 'imul %rcx,%rax',
    bytes: '480fafc1',
    before: { rax: -6n, rcx: 7 },
    after: { rax: -42n },
    flags: FITS,
  },
  {
    asm: 'imul %rcx,%rax',
    bytes: '480fafc1',
    before: { rax: 1n << 32n, rcx: 1n << 31n },
    after: { rax: 1n << 63n },
    flags: TRUNCATED,
  },
  {
    asm: 'imul %rcx,%rax',
    bytes: '480fafc1',
    before: { rax: -1n << 32n, rcx: 1n << 31n },
    after: { rax: 1n << 63n },
    flags: FITS,
  },
  {
    asm: 'imul %rcx,%rax',
    bytes: '480fafc1',
    before: { rax: 0xffffffffn, rcx: 0x100000001n },
    after: { rax: -1n },
    flags: TRUNCATED,
  },
  {
    asm: 'imul %ecx,%eax',
    bytes: '0fafc1',
    before: { rax: 0x500010000n, rcx: 0x10000 },
    after: { rax: 0 },
    flags: TRUNCATED,
  },
  {
    asm: 'imul %ecx,%eax',
    bytes: '0fafc1',
    before: { rax: 0xffffffff, rcx: 2 },
    after: { rax: 0xfffffffe },
    flags: FITS,
  },
  {
    asm: 'imul %cx,%ax',
    bytes: '660fafc1',
    before: { rax: 0x10100, rcx: 0x80 },
    after: { rax: 0x18000 },
    flags: TRUNCATED,
  },
  {
    asm: 'imul 0x8(%rdi),%r8d',
    bytes: '440faf4708',
    before: { rdi: DATA, r8: 0x10 },
    after: { r8: 0xb0a09080 },
    flags: TRUNCATED,
  },
  {
    asm: 'imul $0x64,%rcx,%rax',
    bytes: '486bc164',
    before: { rcx: -3n },
    after: { rax: -300n },
    flags: FITS,
  },
  {
    asm: 'imul $0xffffffff80000000,%rcx,%rax',
    bytes: '4869c100000080',
    before: { rcx: 2 },
    after: { rax: -1n << 32n },
    flags: FITS,
  },
  {
    asm: 'imul $0x1000,%ecx',
    bytes: '69c900100000',
    before: { rcx: 0x100001 },
    after: { rcx: 0x1000 },
    flags: TRUNCATED,
  },
  {
    asm: 'imul $0xfffe,%cx,%ax',
    bytes: '666bc1fe',
    before: { rcx: 3 },
    after: { rax: 0x010203040506fffan },
    flags: FITS,
  },
  {
    asm: 'imul $0x3,(%rdi),%rax',
    bytes: '486b0703',
    before: { rdi: DATA },
    after: { rax: 0x15120f0c09060300n },
    flags: FITS,
  },
];

const WIDE: readonly InstructionRow[] = [
  { asm: 'mul %rcx', bytes: '48f7e1', before: { rax: 3, rcx: 5 }, after: { rax: 15, rdx: 0 }, flags: FITS },
  {
    asm: 'mul %rcx',
    bytes: '48f7e1',
    before: { rax: -1n, rcx: -1n },
    after: { rax: 1, rdx: -2n },
    flags: TRUNCATED,
  },
  {
    asm: 'mul %rax',
    bytes: '48f7e0',
    before: { rax: 1n << 32n },
    after: { rax: 0, rdx: 1 },
    flags: TRUNCATED,
  },
  {
    asm: 'mul %ecx',
    bytes: 'f7e1',
    before: { rax: 0xf80000000n, rcx: 0xf00000004n },
    after: { rax: 0, rdx: 2 },
    flags: TRUNCATED,
  },
  {
    asm: 'mul %cx',
    bytes: '66f7e1',
    before: { rax: 0x18000, rcx: 0x18000, rdx: 0x20000 },
    after: { rax: 0x10000, rdx: 0x24000 },
    flags: TRUNCATED,
  },
  {
    asm: 'mul %cl',
    bytes: 'f6e1',
    before: { rax: 0x1ff, rcx: 0x1ff },
    after: { rax: 0xfe01 },
    flags: TRUNCATED,
  },
  { asm: 'mul %ah', bytes: 'f6e4', before: { rax: 0x10203 }, after: { rax: 0x10006 }, flags: FITS },
  {
    asm: 'mulq 0x8(%rdi)',
    bytes: '48f76708',
    before: { rdi: DATA, rax: 0x10 },
    after: { rax: 0xf0e0d0c0b0a09080n, rdx: 0 },
    flags: FITS,
  },
  {
    asm: 'imul %rcx',
    bytes: '48f7e9',
    before: { rax: -1n, rcx: 1 },
    after: { rax: -1n, rdx: -1n },
    flags: FITS,
  },
  {
    asm: 'imul %rcx',
    bytes: '48f7e9',
    before: { rax: 1n << 63n, rcx: 2 },
    after: { rax: 0, rdx: -1n },
    flags: TRUNCATED,
  },
  {
    asm: 'imul %ecx',
    bytes: 'f7e9',
    before: { rax: 0x80000000, rcx: 0xffffffff },
    after: { rax: 0x80000000, rdx: 0 },
    flags: TRUNCATED,
  },
  { asm: 'imul %cl', bytes: 'f6e9', before: { rax: 0x1fe, rcx: 0x40 }, after: { rax: 0xff80 }, flags: FITS },
  {
    asm: 'imul %cl',
    bytes: 'f6e9',
    before: { rax: 0xff80, rcx: 0xff },
    after: { rax: 0x0080 },
    flags: TRUNCATED,
  },
];

describe.each([
  ['imul truncates', TRUNCATING],
  ['mul and imul of double width', WIDE],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
