import type { ArgumentSlot } from '../abi/slots.ts';
import { InputError } from '../core/input-error.ts';
import type { DeclaredTracepoint } from '../tracepoint/boot.ts';
import { TRACE_ARGS_MAX } from '../tracepoint/stub.ts';
import type { Signature } from '../trampoline/signature.ts';
import { abiSlots, parseSignature } from '../trampoline/signature.ts';

/*
 * Declared tracepoints: TRACE_EVENT() with types only. A tracepoint of a user is declared by the types of its
 * arguments; sizes are what decides how its stub casts them.
 */

/** A tracepoint of a kernel by the types of its arguments: `ptr, ptr, u32`. Throws an InputError for others. */
export function declareTracepoint(name: string, prototype: string, faultable = false): DeclaredTracepoint {
  const { args } = signatureOf(prototype);
  const wrong = args.find(({ size }) => ![1, 2, 4, 8].includes(size));
  if (wrong !== undefined)
    throw new InputError(
      `${name}: ${wrong.name} has ${wrong.size} bytes, and a tracepoint passes 1, 2, 4 or 8`,
    );
  if (args.length === 0 || args.length > TRACE_ARGS_MAX)
    throw new InputError(`${name}: a tracepoint has 1 to ${TRACE_ARGS_MAX} arguments, not ${args.length}`);
  return { name, prototype, args, ...(faultable ? { faultable } : {}) };
}

/** Where the code of a tracepoint gets the words of its arguments, by their types. */
export function tracepointSlots(prototype: string): ArgumentSlot[] {
  return abiSlots(signatureOf(prototype));
}

/** A tracepoint returns nothing. */
function signatureOf(prototype: string): Signature {
  return parseSignature(`${prototype} -> void`);
}

/** Tracepoints of the recorded kernels, with the types in their BTF: few arguments, many, and in between. */
export const TRACEPOINTS: readonly DeclaredTracepoint[] = [
  declareTracepoint('sched_process_exec', 'ptr, s32, ptr'),
  declareTracepoint('xdp_exception', 'ptr, ptr, u32'),
  declareTracepoint('sched_switch', 'bool, ptr, ptr, u32'),
  declareTracepoint('smbus_write', 'ptr, u16, u16, u8, u8, u32, ptr'),
  declareTracepoint('mc_event', 'u32, ptr, ptr, s32, u8, s8, s8, s8, u64, u8, u64, ptr'),
];
