import { describe, expect, it } from 'vitest';
import { writeRegister } from './machine.ts';
import { CONSTANT4, highTags, lowTags } from './origin.ts';
import { RAX, RSP } from './register.ts';
import { bytesOf, setState, TOP, textOf } from './rig.ts';
import type { MachineTrial } from './trial.ts';
import { differences } from './trial.ts';
import { fromBigInt } from './word.ts';

/* Short forms against the generic execution, as in `execute-short.test.ts`: by registers, and by flags. */

const REGISTERS = Array.from({ length: 16 }, (_, reg) => reg);

const hex = (...bytes: readonly number[]) =>
  bytes.map((b) => (b & 0xff).toString(16).padStart(2, '0')).join('');

/** `mov` or `lea` of eight bytes between a register and `disp8(base)`. */
function memoryForm(opcode: number, reg: number, base: number, disp: number): string {
  const sib = (base & 7) === 4 ? [0x24] : [];
  const rex = 0x48 | ((reg >> 3) << 2) | (base >> 3);
  return hex(rex, opcode, 0x40 | ((reg & 7) << 3) | (base & 7), ...sib, disp);
}

/** An instruction on two registers, `rm` last. */
function registerForm(rex: number, opcode: number, reg: number, rm: number): string {
  return hex(rex | ((reg >> 3) << 2) | (rm >> 3), opcode, 0xc0 | ((reg & 7) << 3) | (rm & 7));
}

/** An instruction with a register in its opcode. */
function opcodeForm(rex: number, opcode: number, reg: number, ...immediate: readonly number[]): string {
  return hex(rex | (reg >> 3), opcode | (reg & 7), ...immediate);
}

/** Each pair of registers; the second one holds an address on the stack. */
function* pairs(code: (a: number, b: number) => string): Generator<MachineTrial> {
  for (const a of REGISTERS)
    for (const b of REGISTERS)
      yield {
        code: code(a, b),
        steps: 1,
        title: 'a constant address',
        prepare: (m) => writeRegister(m, b, fromBigInt(TOP)),
      };
}

/** Each register, once with a value that is an origin of its own and once with a constant zero. */
function* each(code: (reg: number) => string): Generator<MachineTrial> {
  for (const reg of REGISTERS)
    for (const constant of [false, true])
      yield {
        code: code(reg),
        steps: 1,
        title: constant ? 'zero' : 'argument',
        prepare: (m) => constant && reg !== RSP && writeRegister(m, reg, { hi: 0, lo: 0 }),
      };
}

describe('every register', () => {
  it.each([
    ['load', pairs((a, b) => memoryForm(0x8b, a, b, 8))],
    ['store', pairs((a, b) => memoryForm(0x89, a, b, 8))],
    ['lea', pairs((a, b) => memoryForm(0x8d, a, b, -8))],
    ['mov, rm first', pairs((a, b) => registerForm(0x48, 0x89, a, b))],
    ['mov, rm last', pairs((a, b) => registerForm(0x48, 0x8b, a, b))],
    ['xor of eight bytes', each((reg) => registerForm(0x48, 0x31, reg, reg))],
    ['xor of four bytes', each((reg) => registerForm(0x40, 0x33, reg, reg))],
    ['xor without a prefix', each((reg) => registerForm(0x40, 0x31, reg & 7, reg & 7).slice(2))],
    ['test of eight bytes', each((reg) => registerForm(0x48, 0x85, reg, reg))],
    ['mov of four bytes', each((reg) => opcodeForm(0x40, 0xb8, reg, 1, 2, 3, 0x84))],
    ['mov of eight bytes', each((reg) => opcodeForm(0x48, 0xb8, reg, 1, 2, 3, 4, 5, 6, 7, 0x88))],
    ['mov, sign-extended', each((reg) => hex(0x48 | (reg >> 3), 0xc7, 0xc0 | (reg & 7), 1, 2, 3, 0x84))],
    ['push', each((reg) => opcodeForm(0x40, 0x50, reg))],
    ['pop', each((reg) => opcodeForm(0x40, 0x58, reg))],
  ])('%s', (_, trials) => {
    const { count, first } = differences(trials);
    expect(first).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(32);
  });

  it('and the code is what its name says', () => {
    expect(textOf(bytesOf(memoryForm(0x8b, RAX, RSP, 8)))).toBe('mov 0x8(%rsp),%rax');
    expect(textOf(bytesOf(memoryForm(0x8d, 9, 12, -8)))).toBe('lea -0x8(%r12),%r9');
    expect(textOf(bytesOf(registerForm(0x48, 0x89, 12, 13)))).toBe('mov %r12,%r13');
    expect(textOf(bytesOf(opcodeForm(0x40, 0x58, 15)))).toBe('pop %r15');
  });
});

/** What sets the flags: sums, differences, tests, what computes them at once, what keeps them. */
const SETTERS = [
  '4801c8',
  '4829c8',
  '4885c0',
  '4885c9',
  '85c0',
  '31c0',
  '4883f800',
  '4883f801',
  '48d1e0',
  '4883c408',
  '48ffc0',
  '90',
];

const ORIGINS = [
  ['constant', CONSTANT4, CONSTANT4],
  ['argument', lowTags(9), highTags(9)],
  ['upper half argument', CONSTANT4, highTags(9)],
  ['undefined', 0, 0],
] as const;

/** Value of `rax`, whether the run is strict, and the groups that may decide a branch all the same. */
const STATES = [
  [0n, false, 0],
  [1n, false, 0],
  [1n << 32n, false, 0],
  [0n, true, 0],
  [-1n, true, 1 << 9],
  [0n, true, 1 << 9],
  [1n, true, 1 << 8],
] as const;

function* behindSetters(branch: string): Generator<MachineTrial> {
  for (const setter of SETTERS)
    for (const [origin, tagLo, tagHi] of ORIGINS)
      for (const [rax, strict, controlGroups] of STATES)
        yield {
          code: setter + branch,
          steps: 2,
          title: `${origin}, rax ${rax}${strict ? `, strict but for ${controlGroups}` : ''}`,
          prepare: (m) => {
            setState(m, { rcx: 1, flags: rax === 0n ? 'ZF' : '' });
            writeRegister(m, RAX, fromBigInt(rax), tagLo, tagHi);
            Object.assign(m, { strict, controlGroups });
          },
        };
}

describe('a branch after everything that sets flags', () => {
  it.each(['7410', '7510', '0f8410000000', '0f8510000000', '2e7410', '3e7510', '7c10', 'eb10', '2eeb10'])(
    '%s',
    (branch) => {
      const { count, first } = differences(behindSetters(branch));
      expect(first).toEqual([]);
      expect(count).toBe(SETTERS.length * ORIGINS.length * STATES.length);
    },
  );
});
