import { parseAction } from '../model/action-text.ts';
import type { CallRun } from '../model/call/call-frame.ts';
import type { Outcome } from '../model/call/outcome.ts';
import type { Action } from '../model/client/all.ts';
import { InputError } from '../model/core/input-error.ts';
import type { KernelView } from '../model/kernel.ts';
import { bootKernel } from '../model/kernel.ts';
import { step } from '../model/step.ts';
import type { DeclaredTracepoint } from '../model/tracepoint/boot.ts';
import type { TracedFunction } from '../model/trampoline/traced-function.ts';
import type { Declaration } from './declared-functions.ts';
import { declaredFunctions } from './declared-functions.ts';
import type { Sequence } from './sequence.ts';

/** The state of a kernel, with the functions that it was booted with: immutable plain data. */
export interface Booted {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  readonly tracepoints: readonly DeclaredTracepoint[];
  readonly state: KernelView;
}

/** The outcome of an action: the kernel afterwards, and the answer to the client (`errno` 0, or `EBUSY`). */
export interface Acted {
  readonly kernel: Booted;
  readonly outcome: Outcome;
}

/**
 * A kernel after boot, with nothing attached. `profile` is a kernel, or one with overridden behaviours
 * (`6.12, multiLinks = batch`); functions are those of a sequence, or declared as in a file, `f1 =
 * function(u64, ptr -> s32)`, tracepoints those of a sequence. Throws an InputError for an unknown kernel or an
 * unreadable declaration.
 */
export function boot(
  profile: string,
  functions: readonly Declaration[],
  tracepoints: Sequence['tracepoints'] = [],
): Booted {
  const declared = { functions: declaredFunctions(functions), tracepoints };
  return { profile, ...declared, state: bootKernel({ profile, boot: 'default', ...declared }) };
}

/**
 * Runs one line of `docs/traces.md`, or an action as data, to its end. Throws an InputError for an unreadable
 * line. A refusal is not an exception: `outcome.errno` has it.
 */
export function act(kernel: Booted, action: string | Action): Acted {
  const done = typeof action === 'string' ? parseAction(action, kernel) : action;
  const { kernel: state, outcome } = step(kernel.state as Parameters<typeof step>[0], done);
  return { kernel: { ...kernel, state }, outcome };
}

/**
 * Executes a call of a function, with the bytes of call site and images: `call(kernel, 'f1(0x1)')`. `events`
 * lists what clients saw, in order; words are hexadecimal text. Throws an InputError for an unknown function,
 * and an Error when the kernel crashes.
 */
export function call(kernel: Booted, made: string): CallRun {
  const { outcome } = act(kernel, `task#1 calls ${made}`);
  if (outcome.errno !== 0) throw new InputError(`${made} cannot be called: ${outcome.errno}`);
  if (outcome.call === undefined) throw new Error(`${made} crashed the kernel: ${outcome.died?.is}`);
  return outcome.call;
}
