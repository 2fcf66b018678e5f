import type { OpsId } from '../core/ids.ts';
import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_ENABLED, opsOf } from '../ftrace/ops.ts';
import type { KernelView } from '../kernel.ts';

/**
 * FTRACE_OPS_FL_ENABLED: set by ftrace_startup() after the ops is on the list, cleared by ftrace_shutdown()
 * after it is off. It stays set when ftrace dies within either.
 */
export function isEnabled(k: KernelView, ops: OpsId): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/**
 * FTRACE_OPS_FL_DIRECT outlives the registration: reset_direct() clears `func` and `trampoline`, and no flag.
 */
export function isDirect(k: KernelView, ops: OpsId): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_DIRECT) !== 0;
}

/**
 * The filter of a direct call that is registered is no client's to change: `direct_functions` would not follow,
 * and a new site would have the flag and no address. A dead ftrace refuses the call by itself (ENODEV).
 */
export function isDirectInUse(k: KernelView, ops: OpsId): boolean {
  return isEnabled(k, ops) && isDirect(k, ops) && !k.ftrace.disabled;
}
