import { parseAction } from '../model/action-text.ts';
import type { CallRun } from '../model/call/call-frame.ts';
import type { Outcome } from '../model/call/outcome.ts';
import type { Action } from '../model/client/all.ts';
import { InputError } from '../model/core/input-error.ts';
import type { KernelView } from '../model/kernel.ts';
import { bootKernel } from '../model/kernel.ts';
import { step } from '../model/step.ts';
import type { TracedFunction } from '../model/trampoline/traced-function.ts';
import type { Declaration } from './declared-functions.ts';
import { declaredFunctions } from './declared-functions.ts';

/** A kernel at some moment, with the functions that it was booted with: plain data, which nothing changes. */
export interface Booted {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  readonly state: KernelView;
}

/** What came of an action: the kernel afterwards, and what the client gets (`errno` 0, or `EBUSY`). */
export interface Acted {
  readonly kernel: Booted;
  readonly outcome: Outcome;
}

/**
 * A kernel after its boot: nothing is attached. `profile` is a kernel, or one with behaviours of its own
 * (`6.12, multiLinks = batch`); functions are those of a sequence, or declared as in a file, `f1 = function(u64, ptr -> s32)`. Throws an InputError
 * when there is no such kernel, or a declaration cannot be read.
 */
export function boot(profile: string, functions: readonly Declaration[]): Booted {
  const declared = declaredFunctions(functions);
  return {
    profile,
    functions: declared,
    state: bootKernel({ profile, boot: 'default', functions: declared }),
  };
}

/**
 * Does what a line of `docs/traces.md` says, or an action as data, to its end. Throws an InputError for a line that cannot be
 * read. A refusal is no error: `outcome.errno` has it.
 */
export function act(kernel: Booted, action: string | Action): Acted {
  const done = typeof action === 'string' ? parseAction(action, kernel) : action;
  const { kernel: state, outcome } = step(kernel.state as Parameters<typeof step>[0], done);
  return { kernel: { ...kernel, state }, outcome };
}

/**
 * Executes a call of a function, bytes of call site and images included: `call(kernel, 'f1(0x1)')`. What clients saw is in
 * `events`, in order; words are hexadecimal text. Throws an InputError when there is no such function, and an Error when the
 * kernel dies of it.
 */
export function call(kernel: Booted, made: string): CallRun {
  const { outcome } = act(kernel, `task#1 calls ${made}`);
  if (outcome.errno !== 0) throw new InputError(`${made} cannot be called: ${outcome.errno}`);
  if (outcome.call === undefined) throw new Error(`the kernel died of ${made}: ${outcome.died?.is}`);
  return outcome.call;
}
