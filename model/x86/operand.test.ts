import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import {
  bytesOf,
  CODE,
  createRig,
  DATA,
  FIXED,
  GS,
  HEAP,
  NOWHERE,
  outcome,
  SINK,
  STACK,
  STACK_WRITABLE,
  START,
  setState,
  stated,
  titled,
} from './rig.ts';
import { run } from './run.ts';
import { fromBigInt } from './word.ts';

const rdi = (address: bigint) => ({ rdi: address });

/** The last byte of an access decides: at the end of a region each width has an address that is just too high. */
const STRADDLING: readonly InstructionRow[] = [
  { asm: 'mov (%rdi),%rax', bytes: '488b07', before: rdi(HEAP + 0x38n), after: { rax: 0x3f3e3d3c3b3a3938n } },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(HEAP + 0x39n),
    stop: 'read of 8 bytes at heap+0x39: unmapped',
  },
  { asm: 'mov (%rdi),%eax', bytes: '8b07', before: rdi(HEAP + 0x3cn), after: { rax: 0x3f3e3d3c } },
  {
    asm: 'mov (%rdi),%eax',
    bytes: '8b07',
    before: rdi(HEAP + 0x3dn),
    stop: 'read of 4 bytes at heap+0x3d: unmapped',
  },
  {
    asm: 'mov (%rdi),%ax',
    bytes: '668b07',
    before: rdi(HEAP + 0x3fn),
    stop: 'read of 2 bytes at heap+0x3f: unmapped',
  },
  {
    asm: 'mov (%rdi),%al',
    bytes: '8a07',
    before: rdi(HEAP + 0x40n),
    stop: 'read of 1 byte at 0xffffc90000300040: unmapped',
  },
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(HEAP + 0x39n),
    stop: 'write of 8 bytes at heap+0x39: unmapped',
  },
  {
    asm: 'mov %al,(%rdi)',
    bytes: '8807',
    before: rdi(HEAP - 1n),
    stop: 'write of 1 byte at 0xffffc900002fffff: unmapped',
  },
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(HEAP - 4n),
    stop: 'write of 8 bytes at 0xffffc900002ffffc: unmapped',
  },
  { asm: 'mov (%rdi),%rax', bytes: '488b07', before: rdi(DATA + 0xf8n), after: { rax: 0xfffefdfcfbfaf9f8n } },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(DATA + 0xf9n),
    stop: 'read of 8 bytes at data+0xf9: unmapped',
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(DATA + 0x100n),
    stop: 'read of 8 bytes at 0xffffc90000200100: unmapped',
  },
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(DATA - 8n),
    stop: 'write of 8 bytes at 0xffffc900001ffff8: unmapped',
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(-4n),
    stop: 'read of 8 bytes at 0xfffffffffffffffc: unmapped',
  },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(DATA & 0xffffffffn),
    stop: 'read of 8 bytes at 0x200000: unmapped',
  },
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(DATA + (1n << 32n)),
    stop: 'write of 8 bytes at 0xffffc90100200000: unmapped',
  },
];

const FORBIDDEN: readonly InstructionRow[] = [
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(FIXED),
    stop: 'write of 8 bytes at fixed+0x0: not writable',
  },
  {
    asm: 'addb $0x1,(%rdi)',
    bytes: '800701',
    before: rdi(FIXED + 5n),
    stop: 'write of 1 byte at fixed+0x5: not writable',
  },
  {
    asm: 'movq $0x1,(%rdi)',
    bytes: '48c70701000000',
    before: rdi(FIXED),
    stop: 'write of 8 bytes at fixed+0x0: not writable',
  },
  {
    asm: 'mov %rax,(%rdi)',
    bytes: '488907',
    before: rdi(CODE),
    stop: 'write of 8 bytes at code+0x0: not writable',
  },
  { asm: 'mov %rax,(%rdi)', bytes: '488907', before: rdi(SINK), after: { 'sink+0x0': '0807060504030201' } },
  {
    asm: 'mov (%rdi),%rax',
    bytes: '488b07',
    before: rdi(SINK),
    stop: 'read of 8 bytes at sink+0x0: not readable',
  },
  {
    asm: 'addl $0x1,(%rdi)',
    bytes: '830701',
    before: rdi(SINK),
    stop: 'read of 4 bytes at sink+0x0: not readable',
  },
  {
    asm: 'negl (%rdi)',
    bytes: 'f71f',
    before: rdi(FIXED),
    stop: 'write of 4 bytes at fixed+0x0: not writable',
  },
  {
    asm: 'xchg %eax,(%rdi)',
    bytes: '8707',
    before: rdi(FIXED),
    stop: 'write of 4 bytes at fixed+0x0: not writable',
  },
  {
    asm: 'sete (%rdi)',
    bytes: '0f9407',
    before: rdi(FIXED),
    stop: 'write of 1 byte at fixed+0x0: not writable',
  },
  {
    asm: 'pushq (%rdi)',
    bytes: 'ff37',
    before: rdi(SINK),
    stop: 'read of 8 bytes at sink+0x0: not readable',
  },
  {
    asm: 'cmpq $0x0,(%rdi)',
    bytes: '48833f00',
    before: rdi(NOWHERE),
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'imul (%rdi),%rax',
    bytes: '480faf07',
    before: rdi(NOWHERE),
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'mulq (%rdi)',
    bytes: '48f727',
    before: rdi(NOWHERE),
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'movzbl (%rdi),%eax',
    bytes: '0fb607',
    before: rdi(NOWHERE),
    stop: 'read of 1 byte at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'shlq %cl,(%rdi)',
    bytes: '48d327',
    before: rdi(NOWHERE),
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'jmpq *(%rdi)',
    bytes: 'ff27',
    before: rdi(NOWHERE),
    stop: 'read of 8 bytes at 0xffffc90000f00000: unmapped',
  },
  {
    asm: 'mov %rax,%gs:0x40',
    bytes: '654889042540000000',
    stop: 'write of 8 bytes at 0xffff88807dc00040: unmapped',
  },
];

describe.each([
  ['at the ends of a region', STRADDLING],
  ['without permission', FORBIDDEN],
])('accesses %s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});

describe('a fault', () => {
  it('says what was accessed, where, by which instruction and in which region', () => {
    const m = createRig(bytesOf('908907'));
    setState(m, { rdi: STACK + BigInt(STACK_WRITABLE) - 2n });
    expect(run(m, 9)).toEqual({
      kind: 'fault',
      at: fromBigInt(START + 1n),
      fault: {
        kind: 'not writable',
        access: 'write',
        address: fromBigInt(STACK + BigInt(STACK_WRITABLE) - 2n),
        size: 4,
        at: fromBigInt(START + 1n),
        region: 'stack',
      },
    });
  });

  it('names no region where there is none', () => {
    const m = createRig(bytesOf('65488b0425ffffff7f'));
    const stop = run(m, 9);
    expect(stop).toMatchObject({ kind: 'fault', fault: { kind: 'unmapped', region: undefined } });
    expect(stop.kind === 'fault' && stop.fault.address).toEqual(fromBigInt(GS + 0x7fffffffn));
  });
});
