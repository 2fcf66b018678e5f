import { undefinedAfter } from '../../../checker/x86/flag-effects.ts';
import { item } from '../../../model/core/present.ts';
import { createMachine } from '../../../model/x86/create-machine.ts';
import { run } from '../../../model/x86/execute.ts';
import { flagBits, setBits, TAG } from '../../../model/x86/flags.ts';
import { setBreakpoint } from '../../../model/x86/link.ts';
import type { Machine } from '../../../model/x86/machine.ts';
import { forgetCode, readRegister, writeRegister } from '../../../model/x86/machine.ts';
import { writeBytes } from '../../../model/x86/memory.ts';
import { CONSTANT } from '../../../model/x86/origin.ts';
import { fromBigInt, toBigInt } from '../../../model/x86/word.ts';
import type { Computed } from './arithmetic.ts';
import * as arithmetic from './arithmetic.ts';

/*
 * Arithmetic of the emulator on the edges of its halves and of its operands, all pairs of them, against whole numbers.
 */

type Compute = (a: bigint, b: bigint, carry: boolean, bits: number) => Computed;

interface Operation {
  /** As the table of flags names it. */
  readonly name: string;
  /** The opcode for the operand size, and ModRM with `rax` as destination; `rcx` is the source. */
  readonly opcode: readonly number[];
  readonly modrm: number;
  readonly compute: Compute;
}

const of = (name: string, opcode: number, modrm: number, compute: Compute): Operation => ({
  name,
  opcode: [opcode],
  modrm,
  compute,
});

const shift = (name: string, modrm: number): Operation =>
  of(name, 0xd2, modrm, (a, b, carry, bits) => {
    const count = Number(b & (bits === 64 ? 63n : 31n));
    const before = carry ? arithmetic.CF : 0;
    return count === 0 ? { value: a, flags: before } : arithmetic.shift(name, a, count, bits, before);
  });

const logic = (name: string, opcode: number, compute: (a: bigint, b: bigint) => bigint): Operation =>
  of(name, opcode, 0xc8, (a, b, _, bits) => arithmetic.logical(compute(a, b), bits));

const kept = (flags: number, carry: boolean): number =>
  (flags & ~arithmetic.CF) | (carry ? arithmetic.CF : 0);

/** The byte form of each opcode is even, and that of the operand size the next one. */
const OPERATIONS: readonly Operation[] = [
  of('ADD', 0x00, 0xc8, (a, b, _, bits) => arithmetic.add(a, b, false, bits)),
  of('ADC', 0x10, 0xc8, arithmetic.add),
  of('SUB', 0x28, 0xc8, (a, b, _, bits) => arithmetic.subtract(a, b, false, bits)),
  of('SBB', 0x18, 0xc8, arithmetic.subtract),
  of('CMP', 0x38, 0xc8, (a, b, _, bits) => ({ ...arithmetic.subtract(a, b, false, bits), value: a })),
  logic('OR', 0x08, (a, b) => a | b),
  logic('AND', 0x20, (a, b) => a & b),
  logic('XOR', 0x30, (a, b) => a ^ b),
  of('TEST', 0x84, 0xc8, (a, b, _, bits) => ({ ...arithmetic.logical(a & b, bits), value: a })),
  of('NOT', 0xf6, 0xd0, (a, _, carry, bits) => ({
    value: BigInt.asUintN(bits, ~a),
    flags: carry ? arithmetic.CF : 0,
  })),
  of('NEG', 0xf6, 0xd8, (a, _, __, bits) => arithmetic.subtract(0n, a, false, bits)),
  of('INC', 0xfe, 0xc0, (a, _, carry, bits) => {
    const { value, flags } = arithmetic.add(a, 1n, false, bits);
    return { value, flags: kept(flags, carry) };
  }),
  of('DEC', 0xfe, 0xc8, (a, _, carry, bits) => {
    const { value, flags } = arithmetic.subtract(a, 1n, false, bits);
    return { value, flags: kept(flags, carry) };
  }),
  of('MUL', 0xf6, 0xe1, (a, b, _, bits) => lower(arithmetic.multiply(a, b, false, bits), bits)),
  of('IMUL', 0xf6, 0xe9, (a, b, _, bits) => lower(arithmetic.multiply(a, b, true, bits), bits)),
  shift('SHL', 0xe0),
  shift('SHR', 0xe8),
  shift('SAR', 0xf8),
  shift('ROL', 0xc0),
  shift('ROR', 0xc8),
];

function lower({ value, flags }: Computed, bits: number): Computed {
  return { value: BigInt.asUintN(bits, value), flags };
}

const CODE = 0x1000n;
const OPERANDS = [
  0n,
  1n,
  2n,
  7n,
  15n,
  16n,
  31n,
  0x7fn,
  0x80n,
  0xffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
].flatMap((n) => [n, BigInt.asUintN(64, -n), (n << 32n) | 0xffff_ffffn, BigInt.asUintN(64, n << 32n)]);

/** By the size of the operands: the first difference, or undefined. */
export const EDGES: Readonly<Record<string, () => string | undefined>> = Object.fromEntries(
  [1, 2, 4, 8].map((bytes) => [`arithmetic of ${bytes} bytes`, () => arithmeticDifference(bytes)]),
);

function arithmeticDifference(bytes: number): string | undefined {
  const m = machine();
  const operands = [...new Set(OPERANDS.map((value) => BigInt.asUintN(8 * bytes, value)))];
  for (const operation of OPERATIONS) {
    load(m, operation, bytes);
    for (const a of operands)
      for (const b of operands)
        for (const carry of [false, true]) {
          const found = ofOne(m, operation, { a, b, carry, bytes });
          if (found !== undefined)
            return `${operation.name} ${a.toString(16)} ${b.toString(16)} ${carry}: ${found}`;
        }
  }
  return undefined;
}

function machine(): Machine {
  const page = { size: 64, permission: 7 };
  return createMachine(
    [
      { name: 'code', base: fromBigInt(CODE), ...page },
      { name: 'stack', base: fromBigInt(0x8000n), ...page },
    ],
    { stack: 'stack', data: 'stack' },
    'reference',
  );
}

function load(m: Machine, { opcode, modrm }: Operation, bytes: number): void {
  const code = item(m.regions, 0);
  const [first = 0] = opcode;
  const prefix = { 1: [], 2: [0x66], 4: [], 8: [0x48] }[bytes] ?? [];
  const instruction = [...prefix, bytes === 1 ? first : first + 1, modrm];
  forgetCode(m, code);
  writeBytes(code, 0, [...instruction, 0x90, 0x90]);
  setBreakpoint(m, code, instruction.length);
}

interface Operands {
  readonly a: bigint;
  readonly b: bigint;
  readonly carry: boolean;
  readonly bytes: number;
}

function ofOne(
  m: Machine,
  { name, compute }: Operation,
  { a, b, carry, bytes }: Operands,
): string | undefined {
  writeRegister(m, 0, fromBigInt(a));
  writeRegister(m, 1, fromBigInt(b));
  setBits(m.flags, carry ? arithmetic.CF : 0);
  m.flags[TAG] = CONSTANT;
  Object.assign(m.rip, fromBigInt(CODE));
  run(m, 2);
  const { value, flags } = compute(a, b, carry, 8 * bytes);
  const found = BigInt.asUintN(8 * bytes, toBigInt(readRegister(m, 0)));
  if (found !== value) return `${found.toString(16)}, not ${value.toString(16)}`;
  const open = undefinedAfter(0, name, { size: bytes, count: Number(b & 0xffn) });
  const differing = (flagBits(m.flags) ^ flags) & ~open & arithmetic.STATUS;
  return differing === 0 ? undefined : `flags ${differing}`;
}
