import type { Word } from '../x86/word.ts';

/** Something in memory that machine code reads, or a part of it that an address lies in. */
export interface MemoryObject {
  /** Address of the first word, a multiple of eight. */
  readonly base: Word;
  /** Sixteen at most. */
  readonly words: readonly Word[];
}

/**
 * What a state has at an address; undefined: nothing that is data. Who reads what has been freed crashes:
 * `readOfFreed()`.
 */
export type ReadsMemory<K> = (k: K, address: Word) => MemoryObject | undefined;
