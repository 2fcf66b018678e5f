import type { CallEvent } from '../core/event.ts';
import type { Locals } from '../core/part.ts';
import type { Reg } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';

/** A CPU as a function in C sees it: it has been called, and returns to its caller afterwards. */
export interface Cpu {
  readonly register: (reg: Reg) => Word;
  readonly setRegister: (reg: Reg, value: Word) => void;
  /** Eight bytes of memory at an aligned address; a bad address is a fault that ends the run. */
  readonly read: (address: Word) => Word;
  readonly write: (address: Word, value: Word) => void;
  /**
   * Calls code through a pointer, and comes back with what it left in the registers. `top` is the stack pointer in front
   * of that call: what the function in C keeps on the stack lies from there upwards. To others it is one moment.
   */
  readonly callCode: (code: Word, top: Word) => void;
  /** What the clients have seen so far. */
  readonly events: CallEvent[];
}

/**
 * A function in C, for a kernel state K, that is done at once. Arguments are in registers as the ABI has them; a result
 * goes to `rax`. What a callee may destroy is destroyed when it has returned. Programs are given their number.
 */
export type CFunction<K> = (k: K, cpu: Cpu, number: number) => void;

/**
 * What a function in C does when execution comes to it: all at once, or a routine, in the middle of which a task can
 * stand. What such a routine is given has the CPU as its `cpu`, and plain data beside it.
 */
export type InC<K> =
  | { readonly atOnce: CFunction<K> }
  | { readonly routine: string; readonly give: (k: K, cpu: Cpu, number: number) => Locals };

/**
 * What the functions in C do, by name. A BPF program may be there under its own name, `prog#3`; those that are not are
 * `program`, which is given the number.
 */
export type CFunctions<K> = Readonly<Record<string, InC<K>>>;

/** Functions by name, all of them done at once. */
export function allAtOnce<K>(functions: Readonly<Record<string, CFunction<K>>>): CFunctions<K> {
  return Object.fromEntries(Object.entries(functions).map(([name, atOnce]) => [name, { atOnce }]));
}
