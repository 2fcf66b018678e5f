import type { Routine } from '../../core/part.ts';
import { routine } from '../../core/routine.ts';
import { addressOf } from '../../text/space.ts';
import { PT_REGS } from '../entry/frame.ts';
import { FTRACE_OPS_FL_IPMODIFY } from '../ops.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { callDirectFuncs } from './direct.ts';
import { fprobeFtraceEntry } from './fprobes.ts';
import { fprobeHandler, fprobeKprobeHandler } from './fprobes-on-rethook.ts';
import { ftraceGraphFunc } from './graph.ts';
import type { Handling } from './handling.ts';
import { opsInMemory } from './in-memory.ts';
import { kprobeFtraceHandler } from './kprobes.ts';
import { argumentsOf, writeReg } from './regs.ts';

/*
 * The values of `ops->func`, as routines. They run in the context that their caller has set up:
 * ftrace_ops_list_func() and ftrace_ops_assist_func() disable preemption, a trampoline or the entry code that
 * calls a handler directly does not.
 */

/** ftrace_stub(): `ret`; the func of the end of the list, and of the temporary ops. */
const ftraceStub = routine<ProbeWorld, Handling>('ftrace_stub', () => []);

/** The callback of a client that traces functions: called with preemption as its caller left it. */
const ftraceCallback = routine<ProbeWorld, Handling>('ftrace_callback', ({ step }) => [
  step('tell the client', tellClient),
]);

/** A callback records the call. That of an IPMODIFY ops (klp_ftrace_handler()) sends it to the replacement. */
export function tellClient(k: ProbeView, locals: Handling): void {
  const { flags } = opsInMemory(k, locals.ops, 'ftrace_callback');
  locals.cpu.events.push({ kind: 'ftrace', who: locals.ops, fn: locals.hit.ip, args: argumentsOf(locals) });
  if ((flags & FTRACE_OPS_FL_IPMODIFY) !== 0) writeReg(locals, PT_REGS.RIP, addressOf(k, 'replacement'));
}

/** The values that `ops->func` can have, by the name of the function in C. */
export const HANDLERS: Readonly<Record<string, Routine<ProbeWorld, Handling>>> = {
  ftrace_stub: ftraceStub,
  ftrace_callback: ftraceCallback,
  call_direct_funcs: callDirectFuncs,
  kprobe_ftrace_handler: kprobeFtraceHandler,
  ftrace_graph_func: ftraceGraphFunc,
  fprobe_handler: fprobeHandler,
  fprobe_kprobe_handler: fprobeKprobeHandler,
  fprobe_ftrace_entry: fprobeFtraceEntry,
};
