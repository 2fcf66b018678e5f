import type { OpsId } from '../core/ids.ts';
import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_ENABLED, opsOf } from '../ftrace/ops.ts';
import type { KernelView } from '../kernel.ts';

/** Whether ftrace uses an ops now. */
export function isEnabled(k: KernelView, ops: OpsId): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

export function isDirect(k: KernelView, ops: OpsId): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_DIRECT) !== 0;
}

/** The filter of a direct call that is registered is no client's to change: its table would not follow. */
export function isDirectInUse(k: KernelView, ops: OpsId): boolean {
  return isEnabled(k, ops) && isDirect(k, ops) && !k.ftrace.disabled;
}
