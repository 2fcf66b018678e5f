import type { CallEvent } from '../../model/core/event.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import type { Word } from '../../model/x86/word.ts';

/** How execution came to where it stands: from another piece of code, or a function in C has done its work. */
export type Arrival = 'call' | 'jump' | 'return' | 'done in C';

/** A moment of a call, read off the executed instructions: plain data. */
export interface ExplainedMoment {
  readonly how: Arrival;
  /** The instruction that led here, `f1+0x4`. */
  readonly from: string;
  /** Where execution stands now. */
  readonly at: Word;
  readonly to: string;
  /** What stands there is a function in C, whose own instructions are not followed. */
  readonly inC: boolean;
  /** Of a call: where it will come back to. */
  readonly back: Word | undefined;
  readonly rsp: Word;
  /** The stack in use, the word at the stack pointer first; the caller's own words are none of it. */
  readonly stack: readonly StackWord[];
  /** What clients have seen since the moment before. */
  readonly events: readonly CallEvent[];
  /** Return addresses that are kept beside the stack, the innermost last. */
  readonly kept: readonly KeptReturn[];
}

/** A word of the stack. */
export interface StackWord {
  readonly address: Word;
  readonly value: Word;
  /** The name of the code that it is the address of, `f1+0x9`; undefined: it is none. */
  readonly code: string | undefined;
  /** Where its bytes come from: `argument 3`; empty: it was computed, or is a constant. */
  readonly origin: string;
  /** Somebody wrote it in this call, or the caller did before. */
  readonly written: boolean;
}

/** A return address that was replaced on the stack, and is kept elsewhere. */
export interface KeptReturn {
  /** `ret_stack` of function graph, or the rethook of a kretprobe or fprobe: `rethook of kretprobe#1`. */
  readonly where: string;
  readonly fn: FunctionName;
  readonly ret: Word;
  /** The name of that code. */
  readonly code: string;
}
