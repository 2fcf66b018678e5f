/** The type of an argument, as far as passing it is concerned. */
export interface Argument {
  /** Bytes. */
  readonly size: number;
  /** Bytes; 16 only for `__int128`. */
  readonly alignment: number;
}

/** One machine word of an argument. Words are numbered in the order of the arguments, whatever their place. */
export interface ArgumentSlot {
  /** Index of the argument. */
  readonly argument: number;
  /** 0 for its first word, 1 for the second. */
  readonly word: number;
  /** Bytes of this word that belong to the argument; a caller may leave anything in the others. */
  readonly bytes: number;
  readonly place: SlotPlace;
}

/** A place: an argument register by position, or the stack by word above the return address, if there is one. */
export type SlotPlace =
  | { readonly in: 'register'; readonly index: number }
  | { readonly in: 'stack'; readonly index: number };

/** How a calling convention gives out its registers. */
export interface Convention {
  readonly wordBytes: 4 | 8;
  /** How many registers arguments are passed in. */
  readonly registers: number;
  /** Words of the longest argument that is passed in registers. */
  readonly wordsMost: number;
  /** After an argument that did not fit: later ones still take the registers that were left, or none does. */
  readonly whatIsLeft: 'taken' | 'closed';
  /** Where an argument that is aligned to two words starts: at every second word of the registers, of the stack. */
  readonly alignedIn: { readonly registers: boolean; readonly stack: boolean };
}

export function wordsOf(size: number, wordBytes: number): number {
  return Math.ceil(size / wordBytes);
}

/** Places of all words: an argument takes the next free registers if all of it fits, or it goes to the stack whole. */
export function assignSlots(args: readonly Argument[], convention: Convention): ArgumentSlot[] {
  const { wordBytes, wordsMost, whatIsLeft, alignedIn } = convention;
  const slots: ArgumentSlot[] = [];
  let registers = 0;
  let stack = 0;
  args.forEach(({ size, alignment }, argument) => {
    const count = wordsOf(size, wordBytes);
    const paired = alignment > wordBytes;
    const first = paired && alignedIn.registers ? registers + (registers % 2) : registers;
    const fits = count <= wordsMost && first + count <= convention.registers;
    if (fits) registers = first;
    else if (whatIsLeft === 'closed') registers = convention.registers;
    if (!fits && paired && alignedIn.stack) stack += stack % 2;
    for (let word = 0; word < count; word++) {
      const place: SlotPlace = fits
        ? { in: 'register', index: registers++ }
        : { in: 'stack', index: stack++ };
      slots.push({ argument, word, bytes: Math.min(wordBytes, size - wordBytes * word), place });
    }
  });
  return slots;
}

/** Words of the stack that the arguments occupy, gaps included. */
export function stackWords(slots: readonly ArgumentSlot[]): number {
  return slots.reduce(
    (most, { place }) => (place.in === 'stack' ? Math.max(most, place.index + 1) : most),
    0,
  );
}
