import type { OpsId } from '../../core/ids.ts';
import type { Cpu } from '../../text/cpu.ts';
import { RDX } from '../../x86/register.ts';
import { opsAt } from '../ops.ts';
import type { ProbeView } from '../probes.ts';
import type { AtSite } from './regs.ts';
import { hitOf } from './regs.ts';

/** A CPU in the handler of an ops. */
export interface Handling extends AtSite {
  /** The ops that the handler is called for. */
  readonly ops: OpsId;
}

/** The arguments of a handler: ip, parent_ip, op and fregs, as entry code or an ops's trampoline passes them. */
export function handlingOf(k: ProbeView, cpu: Cpu): Handling & Record<string, unknown> {
  return { cpu, hit: hitOf(k, cpu), ops: opsFor(k, cpu) };
}

/**
 * The ops of the call: its own trampoline loads it into `rdx`; the shared entry code loads `function_trace_op`,
 * which ftrace_modify_all_code() sets before the handler.
 */
function opsFor(k: ProbeView, cpu: Cpu): string {
  const pointer = cpu.register(RDX);
  return pointer.lo === 0 && pointer.hi === 0 ? k.ftrace.functionTraceOp : opsAt(k, pointer);
}
