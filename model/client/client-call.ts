import type { CallRequest } from '../call/call-frame.ts';
import type { Footprint } from '../contract/footprint.ts';
import type { Promises } from '../contract/promises.ts';
import type { Errno } from '../core/errno.ts';
import type { Routine } from '../core/part.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { Unloads } from '../text/module.ts';
import { unloadsOf } from '../text/module.ts';
import type { Action } from './all.ts';
import type { SpelledLine, Spelling } from './spelling.ts';

/**
 * All that the model knows of one call that a client can make: one file for each, one line for each in
 * `all.ts`. An action is such a call with its arguments, as plain data. Methods, not functions: an action finds
 * its call by its name (`callOf()`), and so a call is given its own actions alone.
 */
export interface ClientCall<A extends SpelledObject> {
  /** Its effect, in one sentence, for the author of a sequence. */
  readonly sentence: string;
  /** The plainest one first, and one for each thing that may be said besides. */
  readonly examples: readonly [A, ...A[]];
  readonly service: Service<A>;
  readonly role: ObjectRole;
  /** It is a function that returns nothing: what goes wrong in it, the client does not learn. */
  readonly returnsNothing?: true;
  /** Fresh memory: it may have the name of an object that was freed. */
  readonly takesMemory?: true;
  /** Whether a kernel has such a function; absent: every one has. */
  inKernel?(kernel: { readonly profile: string }): boolean;
  /**
   * A call that no client makes, because the crash would be its own: it uses an object that it does not have,
   * or clears or changes memory that the kernel uses.
   */
  isMisuse(k: KernelView, action: A): boolean;
  /** The promises that follow when the kernel has accepted it. */
  promised(p: Promises, action: A): Promises;
  /** Its client is done with what it takes off, whatever the answer, or with these: the promises change even so. */
  readonly isDoneAnyway?: true | readonly Errno[];
  /**
   * The object that it registers, changes or unregisters; absent: none, or the answer
   * does not say whether it could.
   */
  registered?(action: A): string;
  /** Functions and objects that it touches, by the promises before it; undefined: it is about no function. */
  touched(p: Promises, k: KernelView, action: A): Footprint | undefined;
  /** Its users share one ops, whose place in the list of ops is that of the first of them. */
  readonly sharesOps?: 'of kprobes' | 'of fprobes';
  /** Its inverse, if it attaches something: the call that takes this off again. */
  detach?(action: A): Action;
  /** Its inverse, if it changes something else: the calls that change this back, unless another call has. */
  undo?(action: A, k: KernelView, p: Promises): readonly Action[];
  /** As traces and reports have it, in the C spelling of its kernel. */
  print(action: A, spelling: Spelling): string;
  /** Reads it as it is printed; undefined: the line is another call's. An InputError says what cannot be read. */
  parse(line: SpelledLine, spelling: Spelling): A | undefined;
}

/** By its name an action says which call it is of. */
export interface SpelledObject {
  readonly do: string;
}

/** Whether something is attached by it, led elsewhere, or taken off. */
export type ObjectRole = 'attaches' | 'changes' | 'detaches' | 'something else';

/** A routine and what it is called with. */
export interface ClientRequest {
  readonly routine: string;
  readonly args: object;
}

/** How a call is served. */
export type Service<A> =
  /** By a routine, which takes its time for it. */
  | {
      readonly by: 'routine';
      readonly routines: readonly Routine[];
      request(action: A, k: KernelView): ClientRequest;
    }
  /** By the client itself, with its own memory, at once. */
  | { readonly by: 'client'; atOnce(k: Kernel, action: A): Errno | 0 }
  /** By a task that runs machine code. */
  | { readonly by: 'task'; request(action: A): CallRequest }
  /** By waiting. */
  | { readonly by: 'time' };

/** A call that one routine serves, and what that is given. */
export function servedBy<A, L extends object>(
  routine: Routine<never, L>,
  give: (action: A, k: KernelView) => L,
): Service<A> {
  return {
    by: 'routine',
    routines: [routine],
    request: (action, k) => ({ routine: routine.name, args: give(action, k) }),
  };
}

/** The same, of a routine that finds out the rest of its locals by itself. */
export function startedBy<A extends SpelledObject>(routine: Routine): Service<A> {
  return {
    by: 'routine',
    routines: [routine],
    request: (action) => ({ routine: routine.name, args: argsOf(action) }),
  };
}

/** An action without its name: most routines are given just that. */
export function argsOf<A extends SpelledObject>({ do: _, ...args }: A): Omit<A, 'do'> {
  return args;
}

/**
 * The same for a routine that does not hold the modules of its addresses, with the time when it got them: their names
 * change when a module goes.
 */
export function argsWithTime<A extends SpelledObject>(
  action: A,
  k: KernelView,
): Omit<A, 'do'> & { got: Unloads } {
  return { ...argsOf(action), got: unloadsOf(k) };
}

/** A call that is harmless with any argument: the kernel checks each of them. */
export function never(): boolean {
  return false;
}

/** A call that promises nothing. */
export function unchanged(p: Promises): Promises {
  return p;
}

/** A call that is about no function. */
export function nothingTouched(): undefined {
  return undefined;
}
