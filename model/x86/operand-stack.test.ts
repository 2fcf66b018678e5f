import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { NOWHERE, outcome, STACK, stated, titled } from './rig.ts';

const rdi = (address: bigint) => ({ rdi: address });

const ON_THE_STACK: readonly InstructionRow[] = [
  {
    asm: 'mov %rax,-0x8(%rsp)',
    bytes: '48894424f8',
    stop: 'write of 8 bytes at stack+0x78: below the stack pointer',
  },
  {
    asm: 'mov -0x1(%rsp),%al',
    bytes: '8a4424ff',
    stop: 'read of 1 byte at stack+0x7f: below the stack pointer',
  },
  {
    asm: 'mov %rax,-0x4(%rsp)',
    bytes: '48894424fc',
    stop: 'write of 8 bytes at stack+0x7c: below the stack pointer',
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(STACK),
    stop: 'read of 8 bytes at stack+0x0: below the stack pointer',
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: { rdi: STACK, rsp: STACK },
    after: { rax: 0x0706050403020100n },
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: { rdi: STACK + 8n, rsp: NOWHERE },
    stop: 'read of 8 bytes at stack+0x8: below the stack pointer',
  },
  {
    asm: 'mov (%rdi),%al',
    bytes: '8a07',
    before: { rdi: STACK + 9n, rsp: STACK - 8n },
    after: { rax: 0x0102030405060709n },
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: { rdi: STACK + 8n, rsp: STACK - 8n },
    after: { rax: 0x0f0e0d0c0b0a0908n },
  },
  { asm: 'mov %rax,0x38(%rsp)', bytes: '4889442438', after: { 'stack+0xb8': '0807060504030201' } },
  { asm: 'mov %rax,0x39(%rsp)', bytes: '4889442439', stop: 'write of 8 bytes at stack+0xb9: not writable' },
  { asm: 'mov %eax,0x3c(%rsp)', bytes: '8944243c', after: { 'stack+0xbc': '08070605' } },
  { asm: 'mov %eax,0x3d(%rsp)', bytes: '8944243d', stop: 'write of 4 bytes at stack+0xbd: not writable' },
  { asm: 'mov %al,0x40(%rsp)', bytes: '88442440', stop: 'write of 1 byte at stack+0xc0: not writable' },
  {
    asm: 'movq $0x1,0x40(%rsp)',
    bytes: '48c744244001000000',
    stop: 'write of 8 bytes at stack+0xc0: not writable',
  },
  { asm: 'mov 0x40(%rsp),%rax', bytes: '488b442440', after: { rax: 0xc7c6c5c4c3c2c1c0n } },
];

describe('accesses on the stack', () => {
  it.each(titled(ON_THE_STACK))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
