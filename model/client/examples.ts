import { DISPATCHER_FUNC } from '../dispatcher/dispatcher.ts';
import { declareTracepoint } from '../raw-tracepoint/tracepoints.ts';
import { moduleFunction, targetProgram, tracedFunction } from '../trampoline/traced-function.ts';
import { ALL_CALLS } from './all.ts';
import type { ClientCall } from './client-call.ts';
import type { Spelling } from './spelling.ts';

/**
 * One declaration of each kind that an example may name: two functions, one of a module, a BPF program as a
 * target, a device with its dispatcher, and a tracepoint.
 */
const DECLARED = {
  functions: [
    tracedFunction('f1', 1, 'u64 -> u64'),
    tracedFunction('f2', 2, 'u64 x2 -> u64'),
    moduleFunction('f3', 3, 'u64 -> u64', 'm1'),
    targetProgram('p1', 4, 'u64 -> u64'),
    tracedFunction('eth0', 5, 'u64 -> u64'),
    tracedFunction(DISPATCHER_FUNC, 6, 'ptr, ptr, ptr -> u32'),
  ],
  tracepoints: [declareTracepoint('tp1', 'u64', false)],
} as const;

/** The examples, in the spelling of a kernel. */
export function exampleSpelling(profile: string): Spelling {
  return { profile, ...DECLARED };
}

/**
 * How a call is written in a kernel, one line for each thing that may be said; empty:
 * the kernel has no such call.
 */
export function examplesOf<A extends { readonly do: string }>(
  call: ClientCall<A>,
  profile: string,
): readonly string[] {
  if (call.inKernel?.({ profile }) === false) return [];
  const spelling = exampleSpelling(profile);
  return call.examples.map((action) => call.print(action, spelling));
}

export function allExamples(profile: string): readonly string[] {
  return ALL_CALLS.flatMap((call) => examplesOf(call, profile));
}
