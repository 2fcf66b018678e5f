import type { CallEvent } from '../core/event.ts';
import type { Reg } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';

/** A processor as a function in C sees it: it has been called, and returns to its caller afterwards. */
export interface Cpu {
  readonly register: (reg: Reg) => Word;
  readonly setRegister: (reg: Reg, value: Word) => void;
  /** Eight bytes of memory at an aligned address; a bad address is a fault that ends the run. */
  readonly read: (address: Word) => Word;
  readonly write: (address: Word, value: Word) => void;
  /** What the clients have seen so far. */
  readonly events: CallEvent[];
}

/**
 * A function in C, for a kernel state K. Arguments are in registers as the ABI has them; a result goes to `rax`. What
 * a callee may destroy is destroyed when it has returned.
 */
export type CFunction<K> = (k: K, cpu: Cpu) => void;
