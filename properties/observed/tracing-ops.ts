import type { Ip } from '../../model/core/ids.ts';
import type { FtraceOps } from '../../model/ftrace/ops.ts';
import { FTRACE_OPS_FL_ENABLED, matches } from '../../model/ftrace/ops.ts';
import type { FtraceView } from '../../model/ftrace/world.ts';

/** An ops that traces a function, and its name. */
export interface TracingOps {
  readonly name: string;
  readonly ops: FtraceOps;
}

/** The enabled ops that trace a function, newest first: they determine everything about its call site. */
export function tracingOps(k: FtraceView, ip: Ip): TracingOps[] {
  const tracing: TracingOps[] = [];
  for (const name of k.ftrace.opsList) {
    const ops = k.ftrace.ops[name];
    if (ops !== undefined && hasFlag(ops, FTRACE_OPS_FL_ENABLED) && matches(k, name, ip))
      tracing.push({ name, ops });
  }
  return tracing;
}

/** Whether an ops on ftrace_ops_list is freed memory. */
export function isFreedOps(k: FtraceView, name: string): boolean {
  return k.ftrace.ops[name] === undefined;
}

/** A freed ops has no flags; no-pointer-to-a-retired-image reports it. */
export function hasFlag(ops: FtraceOps | undefined, bit: number): boolean {
  return ops !== undefined && (ops.flags & bit) !== 0;
}
