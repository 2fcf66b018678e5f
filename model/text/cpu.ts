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
   * Calls code through a pointer, and returns the registers that it leaves. `top` is the stack pointer before
   * that call: what the function in C keeps on the stack is above it. For other CPUs it is one step.
   */
  readonly callCode: (code: Word, top: Word) => void;
  /** The events that clients have recorded so far. */
  readonly events: CallEvent[];
}

/**
 * A function in C, for a kernel state K, that is one step. Arguments are in registers as the ABI says; the result
 * goes to `rax`. Registers that a callee may clobber are clobbered when it has returned. Programs are passed
 * their number.
 */
export type CFunction<K> = (k: K, cpu: Cpu, number: number) => void;

/**
 * A function in C as the model runs it: one step, or a routine, in the middle of which a task can be preempted.
 * The routine gets the CPU as its `cpu`, and plain data.
 */
export type InC<K> =
  | { readonly atOnce: CFunction<K> }
  | { readonly routine: string; readonly give: (k: K, cpu: Cpu, number: number) => Locals };

/** Functions in C by name. A BPF program may have its own entry, `prog#3`; the others share `program`. */
export type CFunctions<K> = Readonly<Record<string, InC<K>>>;

/** Functions by name, each of them one step. */
export function allAtOnce<K>(functions: Readonly<Record<string, CFunction<K>>>): CFunctions<K> {
  return Object.fromEntries(Object.entries(functions).map(([name, atOnce]) => [name, { atOnce }]));
}
