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
export interface Argument {
  /** Bytes, 1–16. */
  readonly size: number;
  /** Bytes; 16 only for `__int128`. */
  readonly alignment: number;
}

/** One machine word of an argument. Words are numbered in the order of the arguments, whatever their place. */
export interface Slot {
  /** Index of the argument. */
  readonly argument: number;
  /** 0 for its first eight bytes, 1 for the second. */
  readonly word: number;
  /** Bytes of this word that belong to the argument; a caller may leave anything in the others. */
  readonly bytes: number;
  readonly place: Place;
}

/** A place: one of the six argument registers by position, or the stack by word above the return address. */
export type Place =
  | { readonly in: 'register'; readonly index: number }
  | { readonly in: 'stack'; readonly index: number };

/** The argument registers in order. */
export const ARGUMENT_REGISTERS = ['rdi', 'rsi', 'rdx', 'rcx', 'r8', 'r9'] as const;

/** Bytes between the stack pointer at a `call` and a multiple of 16. */
export const CALL_ALIGNMENT = 16;

export function words(argument: Argument): number {
  return Math.ceil(argument.size / 8);
}

/** Places of all words. `alignment` as the ABI asks for, or ignored as `arch_prepare_bpf_trampoline()` does. */
export function argumentSlots(args: readonly Argument[], alignment: 'abi' | 'ignored' = 'abi'): Slot[] {
  const slots: Slot[] = [];
  let registers = 0;
  let stack = 0;
  args.forEach((argument, index) => {
    const count = words(argument);
    const fits = count <= 2 && registers + count <= ARGUMENT_REGISTERS.length;
    if (!fits && alignment === 'abi' && argument.alignment > 8) stack += stack % 2;
    for (let word = 0; word < count; word++) {
      const place: Place = fits ? { in: 'register', index: registers++ } : { in: 'stack', index: stack++ };
      slots.push({ argument: index, word, bytes: Math.min(8, argument.size - 8 * word), place });
    }
  });
  return slots;
}

/** Words of the stack that the arguments occupy, gaps included. */
export function stackWords(slots: readonly Slot[]): number {
  return slots.reduce(
    (most, { place }) => (place.in === 'stack' ? Math.max(most, place.index + 1) : most),
    0,
  );
}

/** `rdi`, or `8(%rsp)` as seen at the callee's first instruction. */
export function placeName(place: Place): string {
  return place.in === 'register' ? ARGUMENT_REGISTERS[place.index]! : `${8 + 8 * place.index}(%rsp)`;
}
