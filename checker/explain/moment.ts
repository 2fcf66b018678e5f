import type { CallEvent } from '../../model/core/event.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import type { Word } from '../../model/x86/word.ts';

/** How control arrived: from another piece of code, or by the return of a function in C. */
export type Arrival = 'call' | 'jump' | 'return' | 'done in C';

/** A transfer of control in a call, read from the executed instructions: plain data. */
export interface ExplainedMoment {
  readonly how: Arrival;
  /** The instruction that transferred control, `f1+0x4`. */
  readonly from: string;
  /** The place of execution now. */
  readonly at: Word;
  readonly to: string;
  /** The place is a function in C, whose own instructions are not followed. */
  readonly inC: boolean;
  /** For a call: its return address. */
  readonly back: Word | undefined;
  readonly rsp: Word;
  /** The stack in use, the word at the stack pointer first; without the caller's own words. */
  readonly stack: readonly StackWord[];
  /** What clients have seen since the previous transfer. */
  readonly events: readonly CallEvent[];
  /** Return addresses that are saved outside the stack, the innermost last. */
  readonly kept: readonly KeptReturn[];
}

/** A word of the stack. */
export interface StackWord {
  readonly address: Word;
  readonly value: Word;
  /** The name of the code at this address, `f1+0x9`; undefined: it is not a code address. */
  readonly code: string | undefined;
  /** The origin of its bytes: `argument 3`; empty: it was computed, or is a constant. */
  readonly origin: string;
  /** It was written in this call, or by the caller before. */
  readonly written: boolean;
}

/** A return address that was replaced on the stack, and is saved elsewhere. */
export interface KeptReturn {
  /** `ret_stack` of function graph, or the rethook of a kretprobe or fprobe: `rethook of kretprobe#1`. */
  readonly where: string;
  readonly fn: FunctionName;
  readonly ret: Word;
  /** The name of that code. */
  readonly code: string;
}
