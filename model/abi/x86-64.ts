import { item } from '../core/present.ts';
import type { Argument, ArgumentSlot, Convention, SlotPlace } from './slots.ts';
import { assignSlots, wordsOf } from './slots.ts';

export type { Argument, ArgumentSlot, SlotPlace } from './slots.ts';
export { stackWords } from './slots.ts';

/**
 * Where the System V ABI puts arguments on x86-64, for the classes that kernel functions use: integers,
 * pointers and structs of up to 16 bytes passed by value (INTEGER class throughout; no floating point).
 *
 * An argument of one or two words takes the next free registers if all of it fits, otherwise, like anything
 * larger, it goes to the stack as a whole, and a later one still takes the registers that were left ("disorder"):
 *
 *   f(u64 a, u64 b, u64 c, u64 d, u64 e, s16b f, u64 g)
 *     a rdi · b rsi · c rdx · d rcx · e r8 · f stack 0, stack 1 · g r9
 */
export const X86_64: Convention = {
  wordBytes: 8,
  registers: 6,
  wordsMost: 2,
  whatIsLeft: 'taken',
  alignedIn: { registers: false, stack: true },
};

/** The same as `arch_prepare_bpf_trampoline()` has it: nothing is aligned on the stack. */
const GENERATOR: Convention = { ...X86_64, alignedIn: { registers: false, stack: false } };

/** The argument registers in order. */
export const ARGUMENT_REGISTERS = ['rdi', 'rsi', 'rdx', 'rcx', 'r8', 'r9'] as const;

/** Bytes between the stack pointer at a `call` and a multiple of 16. */
export const CALL_ALIGNMENT = 16;

export function words(argument: Argument): number {
  return wordsOf(argument.size, X86_64.wordBytes);
}

/** Places of all words. `alignment` as the ABI asks for, or ignored as `arch_prepare_bpf_trampoline()` does. */
export function argumentSlots(
  args: readonly Argument[],
  alignment: 'abi' | 'ignored' = 'abi',
): ArgumentSlot[] {
  return assignSlots(args, alignment === 'abi' ? X86_64 : GENERATOR);
}

/** `rdi`, or `8(%rsp)` as seen at the callee's first instruction. */
export function placeName(place: SlotPlace): string {
  return place.in === 'register' ? item(ARGUMENT_REGISTERS, place.index) : `${8 + 8 * place.index}(%rsp)`;
}
