import type { Action } from '../../model/client/all.ts';
import { FTRACE_OPS_FL_IPMODIFY, filterOf, opsOf } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';

/*
 * Calls that a kernel answers in another way than the model, each with what was seen: crashes. They are left out
 * of histories: every run would find them first. `docs/scope.md` lists them as known differences.
 */

/** Why a call is such a one. */
export function knownDifference(k: KernelView, action: Action): string | undefined {
  // 6.12.117: NULL in register_ftrace_function(), after ftrace_free_filter(). 6.1.192: in unregister_ftrace_function().
  if (action.do === 'register_ftrace_function' || action.do === 'unregister_ftrace_function')
    return isPatchWithoutFilter(k, action.ops)
      ? 'known crash: an IPMODIFY ops that has no filter hash'
      : undefined;
  return undefined;
}

function isPatchWithoutFilter(k: KernelView, ops: string): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_IPMODIFY) !== 0 && filterOf(k, ops).length === 0;
}
