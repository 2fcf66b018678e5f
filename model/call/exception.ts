import type { Crash } from '../core/crash.ts';
import { InputError } from '../core/input-error.ts';
import { NotModelled } from '../core/not-modelled.ts';
import { UnsupportedInstruction } from '../x86/unsupported.ts';

/*
 * A routine that reads a field of something that is gone, or looks up what is not there, ends in an exception of
 * ours: the modelled kernel has followed a pointer to nothing. That is a crash like any other. It is one of the model,
 * or of a design, where no kernel does the same.
 */

/** The crash that an exception is; throws it again where it is none: something not modelled, or wrong input. */
export function crashOf(error: unknown): Crash<'exception'> {
  if (isNotModelled(error) || error instanceof InputError || !(error instanceof Error)) throw error;
  return { is: 'exception', error: `${error.name}: ${error.message}`, file: fileOf(error) };
}

/** What some work gives; undefined where it meets something that the model leaves out. */
export function ifModelled<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isNotModelled(error)) return undefined;
    throw error;
  }
}

/** Whether an exception names something that the model leaves out. */
export function isNotModelled(error: unknown): error is Error {
  return error instanceof NotModelled || error instanceof UnsupportedInstruction;
}

/**
 * The file of the routine that has thrown it, without its folder and its ending, which differ between installations;
 * helpers that look things up are skipped. Empty where the stack does not say.
 */
function fileOf({ stack = '' }: Error): string {
  const files = [...stack.matchAll(/([\w.-]+)\.[cm]?[jt]s:\d+:\d+\)?$/gm)].map(([, file]) => file!);
  return files.find((file) => !LOOKS_UP.includes(file)) ?? '';
}

const LOOKS_UP = ['present', 'unreachable'];
