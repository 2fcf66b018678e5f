import type { TestContext } from 'vitest';
import { describe, expect, test } from 'vitest';
import { drawSignatures, everySignature } from '../../checker/arguments/draw.ts';
import type { ArchName } from '../../model/abi/arch.ts';
import { ARCHES, passing } from '../../model/abi/arch.ts';
import type { ArgumentSlot } from '../../model/abi/slots.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { ARM64_DIALECT } from './arm64.ts';
import { compareWithCompiler } from './compare.ts';
import type { Compiler } from './compiler.ts';
import { NoCompiler, openCompiler } from './compiler.ts';
import type { Dialect } from './moves.ts';
import { followFunctions } from './moves.ts';
import { compareArch } from './report.ts';
import { x86Dialect } from './x86.ts';

/** The compiler for an architecture; the test counts as skipped where there is none. */
function compilerFor(ctx: TestContext, arch: ArchName): Compiler {
  try {
    return openCompiler(arch);
  } catch (error) {
    if (error instanceof NoCompiler) return ctx.skip(`no C compiler: ${error.message}`);
    throw error;
  }
}

const FUNCTIONS = (arch: ArchName) => [...everySignature(4), ...drawSignatures(arch, 1, 60)];

/** Words whose location differs from the convention. */
function moved(
  change: (slots: readonly ArgumentSlot[], arch: ArchName) => readonly ArgumentSlot[],
): typeof passing {
  return (arch, model) => {
    const passed = passing(arch, model);
    return { ...passed, slots: change(passed.slots, arch) };
  };
}

describe.each(ARCHES)('%s', (arch) => {
  test('every function of up to four integers, and 60 drawn ones, are passed as compiled', (ctx) => {
    const compared = compareWithCompiler(arch, compilerFor(ctx, arch), FUNCTIONS(arch), passing);
    expect(compared.differences).toEqual([]);
    expect(compared.functions).toBe(91);
    expect(compared.words).toBeGreaterThan(500);
    expect(compared.returns).toBeGreaterThan(70);
  });

  test('a register too early is reported', (ctx) => {
    const early = moved((slots) =>
      slots.map((slot) => ({ ...slot, place: { ...slot.place, index: Math.max(0, slot.place.index - 1) } })),
    );
    const { differences } = compareWithCompiler(arch, compilerFor(ctx, arch), everySignature(2), early);
    const [name, two] = { 'x86-64': ['rdi', 'rsi'], arm64: ['x0', 'x1'], 'x86-32': ['eax', 'edx'] }[arch];
    expect(differences).toContain(
      `${arch}: u32 x2 -> u64: word 1 of argument 2 lies in ${name}, the compiler has it in ${two}`,
    );
  });

  test('another return register is reported', (ctx) => {
    const elsewhere: typeof passing = (on, model) => ({
      ...passing(on, model),
      returns: { in: 'registers', registers: ['r3'] },
    });
    const { differences } = compareWithCompiler(arch, compilerFor(ctx, arch), everySignature(0), elsewhere);
    expect(differences).toEqual([
      `${arch}: -> u64: the value that it returns lies in r3, the compiler has it in none of them`,
    ]);
  });
});

test('registers left free on x86-32 after an argument that did not fit are reported', (ctx) => {
  const open = moved((slots) =>
    slots.map((slot) => (slot.argument === 2 ? { ...slot, place: { in: 'register', index: 2 } } : slot)),
  );
  const compiler = compilerFor(ctx, 'x86-32');
  const functions = [parseSignature('u64 x2, u32 -> u32')];
  expect(compareWithCompiler('x86-32', compiler, functions, open).differences).toEqual([
    'x86-32: u64 x2, u32 -> u32: word 1 of argument 3 lies in ecx, the compiler has it in 12(%esp)',
  ]);
});

test('a missing compiler is reported, and nothing passes', () => {
  const { text, exit } = compareArch('arm64', { argumentsMost: 1, drawn: 0, seed: 1 }, (arch) =>
    openCompiler(arch, 'a-compiler-that-is-not-there'),
  );
  expect(text).toBe(
    [
      '? arm64: not compared, no C compiler',
      '    a-compiler-that-is-not-there does not start (apt-get install',
      '    gcc-aarch64-linux-gnu)',
    ].join('\n'),
  );
  expect(exit).toBe(4);
});

describe('moves are followed', () => {
  const positionOf = (dialect: Dialect, ...lines: string[]) =>
    followFunctions(['f:', ...lines.map((line) => `\t${line}`)].join('\n'), dialect).get('f')!;

  test.each<[string, Dialect, string[], string, string]>([
    ['a word of the stack', x86Dialect(32), ['movl 8(%esp), %eax', 'movb %al, sink1'], 'sink1', '8(%esp)'],
    [
      'below a lowered stack',
      x86Dialect(64),
      ['subq $16, %rsp', 'movl 24(%rsp), %eax', 'movl %eax, sink4(%rip)'],
      'sink4',
      '8(%rsp)',
    ],
    [
      'through the stack',
      x86Dialect(64),
      ['movq %rdi, -8(%rsp)', 'movzbl -8(%rsp), %eax', 'movb %al, sink1(%rip)'],
      'sink1',
      'rdi',
    ],
    ['a part of a register', x86Dialect(64), ['movb %r8b, sink1(%rip)'], 'sink1', 'r8'],
    ['through a pointer', x86Dialect(32), ['movl result, %edx', 'movl %edx, 4(%eax)'], '4(eax)', 'result'],
    [
      'something computed',
      x86Dialect(64),
      ['addl %esi, %edi', 'movl %edi, sink4(%rip)'],
      'sink4',
      'computed',
    ],
    [
      'a masked register',
      ARM64_DIALECT,
      ['adrp x1, sink1', 'and w0, w3, 255', 'strb w0, [x1, #:lo12:sink1]'],
      'sink1',
      'x3',
    ],
    [
      'arm64, the stack',
      ARM64_DIALECT,
      ['sub sp, sp, #16', 'ldr x0, [sp, 24]', 'adrp x1, sink8', 'str x0, [x1, #:lo12:sink8]'],
      'sink8',
      '[sp, #8]',
    ],
    [
      'arm64, what was added',
      ARM64_DIALECT,
      ['add x0, x1, x2', 'adrp x1, sink8', 'str x0, [x1, #:lo12:sink8]'],
      'sink8',
      'computed',
    ],
  ])('%s', (_, dialect, lines, where, origin) => {
    expect(positionOf(dialect, ...lines).stored.get(where)).toBe(origin);
  });

  test('a pair is loaded from the old value of its address register', () => {
    const moves = positionOf(
      ARM64_DIALECT,
      'adrp x0, result',
      'add x0, x0, :lo12:result',
      'ldp x0, x1, [x0]',
      'ret',
    );
    expect([moves.register('x0'), moves.register('x1')]).toEqual(['result', 'result+8']);
  });

  test('nothing past the end counts', () => {
    expect(positionOf(x86Dialect(64), 'ret', 'movl %edi, sink4(%rip)').stored.size).toBe(0);
  });

  test('an address that is not followed is an error, not a guess', () => {
    expect(() => positionOf(x86Dialect(64), 'movl (%rdi,%rsi,4), %eax')).toThrow(
      'an address that is not followed',
    );
    expect(() => positionOf(x86Dialect(64), 'andq $-16, %rsp')).toThrow('andq $-16: not followed');
    expect(() => positionOf(ARM64_DIALECT, 'stp x29, x30, [sp, -16]!')).toThrow(
      'an address that is not followed',
    );
  });
});
