import { describe, expect, it } from 'vitest';
import type { Machine } from './machine.ts';
import { readRegister, regionNamed, writeRegister } from './machine.ts';
import { CONSTANT4, highTags, lowTags, tagOf } from './origin.ts';
import { RAX, RCX, RDI, RSP } from './register.ts';
import { bytesOf, CODE, createRig, DATA, describeStop, HEAP, START, setState, TOP, textOf } from './rig.ts';
import { run } from './run.ts';
import { fromBigInt } from './word.ts';

/** The group of an argument, and of a value that may decide which way an image goes. */
const ARGUMENT = 3;
const CONTROL = 22;

/** `rdi` points to data, `rax` is the argument, `rcx` the control value; memory at `data+0x8` holds the argument. */
function strictRig(code: string): Machine {
  const m = createRig(bytesOf(code));
  m.strict = true;
  m.controlGroups = 1 << CONTROL;
  setState(m, { rdi: DATA, rdx: 0, rbx: 0 });
  writeRegister(m, RAX, fromBigInt(DATA), lowTags(ARGUMENT), highTags(ARGUMENT));
  writeRegister(m, RCX, fromBigInt(CODE), lowTags(CONTROL), highTags(CONTROL));
  const { tagWords, words } = regionNamed(m, 'data');
  tagWords.set([lowTags(ARGUMENT), highTags(ARGUMENT)], 2);
  words.set([fromBigInt(CODE).lo, fromBigInt(CODE).hi], 2);
  return m;
}

const FIRST = tagOf(ARGUMENT, 0);

const BRANCHES: readonly (readonly [asm: string, bytes: string, stop: string])[] = [
  ['cmp %rdx,%rax; je 0xffffffffc0000110', '4839d0740b', `branch depends on tag ${FIRST} at code+0x103`],
  ['cmp %rdx,%rax; ja 0xffffffffc0000110', '4839d0770b', `branch depends on tag ${FIRST} at code+0x103`],
  ['test %rax,%rax; je 0xffffffffc0000110', '4885c0740b', `branch depends on tag ${FIRST} at code+0x103`],
  [
    'test %rax,%rax; jne 0xffffffffc0000110',
    '4885c00f8507000000',
    `branch depends on tag ${FIRST} at code+0x103`,
  ],
  ['cmp $0x0,%rax; je 0xffffffffc0000110', '4883f800740a', `branch depends on tag ${FIRST} at code+0x104`],
  [
    'testb $0x1,0xf(%rdi); je 0xffffffffc0000110',
    'f6470f01740a',
    `branch depends on tag ${FIRST + 7} at code+0x104`,
  ],
  ['shl $0x1,%rax; jb 0xffffffffc0000110', '48d1e0720b', `branch depends on tag ${FIRST} at code+0x103`],
  ['jmp *%rax', 'ffe0', `branch depends on tag ${FIRST} at code+0x100`],
  ['call *%rax', 'ffd0', `branch depends on tag ${FIRST} at code+0x100`],
  ['jmpq *0x8(%rdi)', 'ff6708', `branch depends on tag ${FIRST} at code+0x100`],
  ['push %rax; ret', '50c3', `branch depends on tag ${FIRST} at code+0x101`],
  ['push %rcx; ret', '51c3', `branch depends on tag ${tagOf(CONTROL, 0)} at code+0x101`],
];

const ADDRESSES: readonly (readonly [asm: string, bytes: string, stop: string])[] = [
  ['mov (%rax),%rdx', '488b10', `address depends on tag ${FIRST} at code+0x100`],
  ['mov %rdx,0x10(%rax)', '48895010', `address depends on tag ${FIRST} at code+0x100`],
  ['movq $0x1,(%rax)', '48c70001000000', `address depends on tag ${FIRST} at code+0x100`],
  ['movzbl (%rdi,%rax),%edx', '0fb61407', `address depends on tag ${FIRST} at code+0x100`],
  ['nop; addl $0x1,(%rcx)', '90830101', `address depends on tag ${tagOf(CONTROL, 0)} at code+0x101`],
  ['mov %rax,%rsp; push %rdx', '4889c452', `address depends on tag ${FIRST} at code+0x103`],
  ['mov %rax,%rsp; pop %rdx', '4889c45a', `address depends on tag ${FIRST} at code+0x103`],
  ['mov %rax,%rsp; ret', '4889c4c3', `address depends on tag ${FIRST} at code+0x103`],
  ['mov %rax,%rbp; leave', '4889c5c9', `address depends on tag ${FIRST} at code+0x103`],
  ['add %rax,%rdi; mov (%rdi),%edx', '4801c78b17', 'address depends on tag 2 at code+0x103'],
];

const ALLOWED: readonly (readonly [asm: string, bytes: string])[] = [
  ['test %rcx,%rcx; je 0xffffffffc0000110', '4885c9740b'],
  ['test %rcx,%rcx; jne 0xffffffffc0000110', '4885c90f8507000000'],
  ['cmp $0x0,%rcx; je 0xffffffffc0000110', '4883f900740a'],
  ['cmp %rdx,%rbx; je 0xffffffffc0000110', '4839d3740b'],
  ['xor %eax,%eax; je 0xffffffffc0000110', '31c0740c'],
  ['test %rcx,%rcx; inc %rdx; je 0xffffffffc0000110', '4885c948ffc27408'],
  ['cmp %rdx,%rax; dec %rbx; jle 0xffffffffc0000110', '4839d048ffcb7e08'],
  ['lea 0x8(%rax),%rdx', '488d5008'],
  ['cmp %rdx,%rax; sete %bl', '4839d00f94c3'],
  ['cmp %rdx,%rax; cmove %rcx,%rbx', '4839d0480f44d9'],
  ['mov %rax,(%rdi)', '488907'],
];

/** A test for zero is allowed of the whole value only, of a control group only, and for je and jne only. */
const BEYOND: readonly (readonly [asm: string, bytes: string, tag: number])[] = [
  ['test %rcx,%rcx; js 0xffffffffc0000110', '4885c9780b', tagOf(CONTROL, 0)],
  ['test %ecx,%ecx; je 0xffffffffc0000110', '85c9740c', tagOf(CONTROL, 0)],
  ['cmp $0x1,%rcx; je 0xffffffffc0000110', '4883f901740a', tagOf(CONTROL, 0)],
  ['test %rcx,%rdi; je 0xffffffffc0000110', '4885cf740b', tagOf(CONTROL, 0)],
  ['test %rdi,%rcx; je 0xffffffffc0000110', '4885f9740b', tagOf(CONTROL, 0)],
  ['test %rcx,%rcx; inc %rdx; jb 0xffffffffc0000110', '4885c948ffc27208', 2],
];

const steps = (asm: string) => asm.split('; ').length;

describe('a strict run stops where a value decides', () => {
  it.each([...BRANCHES, ...ADDRESSES])('%s', (asm, bytes, stop) => {
    const m = strictRig(bytes);
    expect(textOf(bytesOf(bytes))).toBe(asm);
    expect(describeStop(m, run(m, steps(asm)))).toBe(stop);
  });

  it.each([...BRANCHES, ...ADDRESSES])('%s continues when the run is not strict', (_, bytes) => {
    const m = strictRig(bytes);
    m.strict = false;
    expect(['budget', 'fault']).toContain(run(m, 1).kind);
    expect(m.stop?.kind).not.toBe('depends');
  });

  it.each(BEYOND)('%s', (asm, bytes, tag) => {
    const m = strictRig(bytes);
    expect(textOf(bytesOf(bytes))).toBe(asm);
    expect(run(m, steps(asm))).toMatchObject({ kind: 'depends', what: 'branch', tag });
  });
});

describe('a strict run continues where no value decides', () => {
  it.each(ALLOWED)('%s', (asm, bytes) => {
    const m = strictRig(bytes);
    expect(textOf(bytesOf(bytes))).toBe(asm);
    expect(run(m, steps(asm)).kind).toBe('budget');
  });

  it('a control value decides by being zero or not', () => {
    for (const [value, target] of [
      [0n, START + 0x10n],
      [1n, START + 5n],
      [1n << 63n, START + 5n],
    ] as const) {
      const m = strictRig('4885c9740b');
      writeRegister(m, RCX, fromBigInt(value), lowTags(CONTROL), highTags(CONTROL));
      expect(run(m, 2)).toEqual({ kind: 'budget', at: fromBigInt(target) });
    }
  });

  it('a value of a group that is not a control group does not', () => {
    const m = strictRig('4885c9740b');
    m.controlGroups = ~(1 << CONTROL);
    expect(run(m, 2)).toEqual({
      kind: 'depends',
      what: 'branch',
      tag: tagOf(CONTROL, 0),
      at: fromBigInt(START + 3n),
    });
  });
});

describe('memory that was never written', () => {
  it.each([
    ['an undefined address', '488b07', 'read of 8 bytes at heap+0x0: undefined address'],
    ['an undefined target', 'ffe7', 'fetch of 1 byte at heap+0x0: undefined branch'],
    ['undefined flags', '4885ff740b', 'fetch of 1 byte at code+0x103: undefined branch'],
    ['an undefined return address', '57c3', 'fetch of 1 byte at heap+0x0: undefined branch'],
    ['an undefined stack pointer', '4889fc50', 'read of 8 bytes at 0xffffc900002ffff8: undefined address'],
  ])('%s is a fault, strict or not', (_, bytes, stop) => {
    for (const strict of [false, true]) {
      const m = strictRig(bytes);
      m.strict = strict;
      writeRegister(m, RDI, fromBigInt(HEAP), CONSTANT4, 0x01000101);
      expect(describeStop(m, run(m, 2))).toBe(stop);
    }
  });

  it('may be moved about', () => {
    const m = strictRig('4889f8508b4424045b');
    writeRegister(m, RDI, fromBigInt(HEAP), 0, 0);
    expect(run(m, 4).kind).toBe('budget');
    expect(readRegister(m, RSP)).toEqual(fromBigInt(TOP));
  });

  it('flags that no instruction has set decide no branch', () => {
    const m = createRig(bytesOf('7400'));
    m.flags.fill(0);
    expect(describeStop(m, run(m, 1))).toBe('fetch of 1 byte at code+0x100: undefined branch');
  });

  it.each([
    ['jne 0xffffffffc0000102', 'ffc97500', 'budget'],
    ['jle 0xffffffffc0000102', 'ffc97e00', 'budget'],
    ['jb 0xffffffffc0000102', 'ffc97200', 'fault'],
    ['ja 0xffffffffc0000102', 'ffc97700', 'fault'],
  ])('dec defines all flags but CF: %s', (_, bytes, kind) => {
    const m = createRig(bytesOf(bytes));
    m.flags.fill(0);
    expect(run(m, 2).kind).toBe(kind);
  });

  it('flags are as defined as the shift that sets all of them', () => {
    const m = createRig(bytesOf('d1e07400'));
    m.flags.fill(0);
    expect(run(m, 2).kind).toBe('budget');
  });
});
