import type { Action } from './client/all.ts';
import { callOf } from './client/all.ts';
import { isFreed } from './client/kfree.ts';
import type { KernelView } from './kernel.ts';

/*
 * Two classes of wrong calls have to be kept apart. One that the kernel refuses is an answer, and sequences
 * want it. One that makes the kernel crash through the fault of the client (a freed ops, a cleared structure)
 * would be found by every search first, and is no defect of the kernel: it is skipped, with an answer that no
 * call of the kernel gives there.
 */

/** An action that no client makes: it is not tried, and answers EBADF. */
export function isMisuse(k: KernelView, action: Action): boolean {
  const call = callOf(action);
  if (k.ftrace.freed.length > 0 && call.takesMemory !== true && usesFreed(k, action)) return true;
  return call.inKernel?.(k) === false || call.isMisuse(k, action);
}

/**
 * An object that the client has freed. Names are compared in all fields of the action: none but an object is
 * called like one.
 */
function usesFreed(k: KernelView, action: Action): boolean {
  return Object.values(action).some((value) => typeof value === 'string' && isFreed(k, value));
}
