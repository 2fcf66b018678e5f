import type { Word } from '../x86/word.ts';

/** Something in memory that machine code reads, or a part of it that an address lies in. */
export interface MemoryObject {
  /** Address of the first word, a multiple of eight. */
  readonly base: Word;
  /** Sixteen at most. */
  readonly words: readonly Word[];
}

/** The data of a state at an address; undefined: none. Reading what was freed is a crash: `readOfFreed()`. */
export type ReadsMemory<K> = (k: K, address: Word) => MemoryObject | undefined;
