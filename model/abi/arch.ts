import { InputError } from '../core/input-error.ts';
import { item } from '../core/present.ts';
import { ARM64 } from './arm64.ts';
import type { Argument, ArgumentSlot, Convention, SlotPlace } from './slots.ts';
import { assignSlots } from './slots.ts';
import { returnedInRegisters, X86_32, X86_32_REGISTERS } from './x86-32.ts';
import { placeName, X86_64, ARGUMENT_REGISTERS as X86_64_REGISTERS } from './x86-64.ts';

/** A type of a function's declaration, as far as passing it is concerned. */
export interface PassedType extends Argument {
  /** `ptr` is a pointer: as long as a register, whatever its `size` says. */
  readonly name: string;
  readonly struct: boolean;
}

/** A function as the code that passes its arguments sees it (`struct btf_func_model`). */
export interface FunctionModel {
  readonly args: readonly PassedType[];
  /** Of size 0: it returns nothing. */
  readonly ret: PassedType;
}

/** Where a function finds its arguments, and its caller the return value. */
export interface Passing {
  /** All words of the arguments, in the order of the declaration. */
  readonly slots: readonly ArgumentSlot[];
  /** Arguments, by index, of which the caller makes a copy and passes its address. */
  readonly copied: readonly number[];
  readonly returns: Returned;
}

/** In registers by name, low word first (none: nothing is returned), or in memory that the caller provides. */
export type Returned =
  | { readonly in: 'registers'; readonly registers: readonly string[] }
  | { readonly in: 'memory'; readonly addressIn: string };

interface Arch {
  readonly convention: Convention;
  readonly registers: readonly string[];
  readonly returnRegisters: readonly [string, string];
  /** Where the caller tells the address for a value that is returned in memory: before all arguments, or apart. */
  readonly resultAddress: 'first argument' | 'x8';
  /** A struct of more bytes is copied by the caller, which passes the address of the copy. */
  readonly copiedAbove: number;
  readonly inRegisters: (type: PassedType) => boolean;
  /** A place as the function's first instruction addresses it. */
  readonly place: (place: SlotPlace) => string;
}

const fitsTwoWords = ({ size }: PassedType): boolean => size <= 16;

const ARCH: Readonly<Record<ArchName, Arch>> = {
  'x86-64': {
    convention: X86_64,
    registers: X86_64_REGISTERS,
    returnRegisters: ['rax', 'rdx'],
    resultAddress: 'first argument',
    copiedAbove: Number.POSITIVE_INFINITY,
    inRegisters: fitsTwoWords,
    place: placeName,
  },
  arm64: {
    convention: ARM64,
    registers: Array.from({ length: ARM64.registers }, (_, i) => `x${i}`),
    returnRegisters: ['x0', 'x1'],
    resultAddress: 'x8',
    copiedAbove: 16,
    inRegisters: fitsTwoWords,
    place: ({ in: where, index }) =>
      where === 'register' ? `x${index}` : index === 0 ? '[sp]' : `[sp, #${8 * index}]`,
  },
  'x86-32': {
    convention: X86_32,
    registers: X86_32_REGISTERS,
    returnRegisters: ['eax', 'edx'],
    resultAddress: 'first argument',
    copiedAbove: Number.POSITIVE_INFINITY,
    inRegisters: returnedInRegisters,
    place: ({ in: where, index }) =>
      where === 'register' ? item(X86_32_REGISTERS, index) : `${4 + 4 * index}(%esp)`,
  },
};

export type ArchName = 'x86-64' | 'arm64' | 'x86-32';

export const ARCHES: readonly ArchName[] = ['x86-64', 'arm64', 'x86-32'];

/** Bytes of a register, of a pointer, and of a word of the stack. */
export function wordBytes(arch: ArchName): 4 | 8 {
  return ARCH[arch].convention.wordBytes;
}

/** `rdi`, `x0`, `eax`, or a word of the stack as the function's first instruction finds it: `8(%rsp)`, `[sp, #8]`. */
export function placeOn(arch: ArchName, place: SlotPlace): string {
  return ARCH[arch].place(place);
}

/** Where each argument lies, and the return value. Throws an InputError for a type that the architecture has not. */
export function passing(arch: ArchName, { args, ret }: FunctionModel): Passing {
  const { convention, copiedAbove } = ARCH[arch];
  const pointer: Argument = { size: convention.wordBytes, alignment: convention.wordBytes };
  const passed = args.map((type) => {
    requireType(arch, type);
    return type.name === 'ptr' || type.size > copiedAbove ? pointer : type;
  });
  const copied = args.flatMap(({ size }, i) => (size > copiedAbove ? [i] : []));
  const returns = returned(arch, ret);
  const hidden = returns.in === 'memory' && ARCH[arch].resultAddress === 'first argument';
  const all = assignSlots(hidden ? [pointer, ...passed] : passed, convention);
  const slots = hidden ? all.slice(1).map((slot) => ({ ...slot, argument: slot.argument - 1 })) : all;
  return { slots, copied, returns };
}

function returned(arch: ArchName, ret: PassedType): Returned {
  requireType(arch, ret);
  const { registers, resultAddress, returnRegisters, inRegisters } = ARCH[arch];
  if (!inRegisters(ret))
    return { in: 'memory', addressIn: resultAddress === 'x8' ? resultAddress : item(registers, 0) };
  const bytes = ret.name === 'ptr' ? wordBytes(arch) : ret.size;
  return { in: 'registers', registers: returnRegisters.slice(0, Math.ceil(bytes / wordBytes(arch))) };
}

/** C has `__int128` only where a register has 64 bits. */
function requireType(arch: ArchName, { name, size, struct }: PassedType): void {
  if (!struct && size > 2 * wordBytes(arch))
    throw new InputError(`${name} is no type on ${arch}: there is no integer of ${8 * size} bits`);
}
