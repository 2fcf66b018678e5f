import type { Action } from './client/all.ts';
import { callOf } from './client/all.ts';
import { isFreed } from './client/kfree.ts';
import type { KernelView } from './kernel.ts';

/** What no client does: such an action is not tried, and answers EBADF. */
export function isMisuse(k: KernelView, action: Action): boolean {
  const call = callOf(action);
  if (k.ftrace.freed.length > 0 && call.takesMemory !== true && usesFreed(k, action)) return true;
  return call.inKernel?.(k) === false || call.isMisuse(k, action);
}

/** An object that the client has freed; only fresh memory may have its name. */
function usesFreed(k: KernelView, action: Action): boolean {
  return Object.values(action).some((value) => typeof value === 'string' && isFreed(k, value));
}
