import type { ArgumentSlot } from '../abi/slots.ts';
import { tracepointSlots } from '../raw-tracepoint/tracepoints.ts';
import { abiSlots } from '../trampoline/signature.ts';
import type { Spelling } from './spelling.ts';

/** Whether what is called so is a tracepoint, which a task hits, and not a function. */
export function isHit(name: string, { tracepoints = [] }: Pick<Spelling, 'tracepoints'>): boolean {
  return tracepoints.some((tracepoint) => tracepoint.name === name);
}

/**
 * Where the argument words of a function or a tracepoint are passed, by its name; undefined when it is not
 * declared. A tracepoint has no caller that passes words in registers: its words are those that the probe is
 * called with, after `data`.
 */
export function argumentSlots(
  name: string,
  { functions, tracepoints = [] }: Pick<Spelling, 'functions' | 'tracepoints'>,
): readonly ArgumentSlot[] | undefined {
  const called = functions.find((fn) => fn.name === name);
  if (called !== undefined) return abiSlots(called.signature);
  const hit = tracepoints.find((tracepoint) => tracepoint.name === name);
  return hit === undefined ? undefined : tracepointSlots(hit.prototype);
}
