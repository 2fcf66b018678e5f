import { Oops } from '../../core/oops.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RunRoutine } from '../../core/run.ts';
import type { CFunction, Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RCX, RDI, RDX } from '../../x86/register.ts';
import { plus } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import { ftraceIsJmp, ftraceJmpGet } from '../jmp.ts';
import {
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_SAVE_REGS,
  FTRACE_OPS_FL_STUB,
  matches,
  opsAt,
  opsOf,
} from '../ops.ts';
import type { ProbeWorld } from '../probes.ts';
import { ftraceWarnOn } from '../world.ts';
import { fprobeFtraceEntry, fprobeHandler } from './fprobes.ts';
import { ftraceGraphFunc } from './graph.ts';
import { ftraceReturnToHandler } from './graph-return.ts';
import { kprobeFtraceHandler } from './kprobes.ts';
import type { Hit } from './regs.ts';
import { argumentsOf, functionAt, hasRegs, writeReg } from './regs.ts';
import { archRethookTrampolineCallback } from './rethook-return.ts';

/** A handler of an ops. */
type Handler = (k: ProbeWorld, hit: Hit, ops: string) => void;

/** Handlers by the name of their C function. */
type Handlers = Readonly<Record<string, Handler>>;

function handlers(run: RunRoutine): Handlers {
  return {
    ftrace_stub: () => {},
    ftrace_callback: ftraceCallback,
    call_direct_funcs: callDirectFuncs,
    kprobe_ftrace_handler: kprobeFtraceHandler,
    ftrace_graph_func: (k, hit) => run(k, ftraceGraphFunc.name, { hit }),
    fprobe_handler: fprobeHandler,
    fprobe_ftrace_entry: fprobeFtraceEntry,
  };
}

/** What is called at a site that its ops is alone on, or through ftrace's inner call: ip, parent, ops, registers. */
function hitOf(k: ProbeWorld, cpu: Cpu): Hit {
  return { cpu, ip: functionAt(k, cpu.register(RDI)), fregs: cpu.register(RCX) };
}

/** The ops that a handler was called for: its trampoline brings it, the shared entry code has `function_trace_op`. */
function opsFor(k: ProbeWorld, cpu: Cpu): string {
  const pointer = cpu.register(RDX);
  return pointer.lo === 0 && pointer.hi === 0 ? k.ftrace.functionTraceOp : opsAt(k, pointer);
}

/**
 * __ftrace_ops_list_func(): every ops on the list that traces the function, the newest first. An ops that wants
 * registers is passed over at a site that does not save them.
 */
function opsListFunc(k: ProbeWorld, cpu: Cpu, by: Handlers): void {
  const hit = hitOf(k, cpu);
  const regs = hasRegs(hit);
  for (const name of [...k.ftrace.opsList]) {
    const { flags, func } = opsOf(k, name);
    if ((flags & FTRACE_OPS_FL_STUB) !== 0) continue;
    if ((!regs && (flags & FTRACE_OPS_FL_SAVE_REGS) !== 0) || !matches(k, name, hit.ip)) continue;
    if (ftraceWarnOn(k, func === '', `${name} has no func (__ftrace_ops_list_func)`)) return;
    by[func]!(k, hit, name);
  }
}

/** A client's handler. One that is IPMODIFY sends the function to its replacement. */
function ftraceCallback(k: ProbeWorld, hit: Hit, name: string): void {
  hit.cpu.events.push({ kind: 'ftrace', who: name, fn: hit.ip, args: argumentsOf(hit) });
  const redirects = (opsOf(k, name).flags & FTRACE_OPS_FL_IPMODIFY) !== 0;
  if (redirects) writeReg(hit, PT_REGS.RIP, addressOf(k, 'replacement'));
}

/**
 * call_direct_funcs(): leaves the address of the direct trampoline where ftrace_regs_caller finds it. Older kernels
 * look it up by call site, some later ones have it in the ops.
 */
function callDirectFuncs(k: ProbeWorld, hit: Hit, name: string): void {
  const byTable = profileNamed(k.profile).directLookup === 'table';
  const address = byTable ? (k.ftrace.directFunctions[hit.ip] ?? '') : opsOf(k, name).directCall;
  if (address === '') return;
  const target = addressOf(k, ftraceJmpGet(address));
  writeReg(hit, PT_REGS.ORIG_RAX, ftraceIsJmp(address) ? plus(target, 1) : target);
}

function called(handler: Handler): CFunction<ProbeWorld> {
  return (k, cpu) => handler(k, hitOf(k, cpu), opsFor(k, cpu));
}

/** ftrace's functions in C, by name; some of them are routines. */
export function ftraceFunctions(run: RunRoutine): Readonly<Record<string, CFunction<ProbeWorld>>> {
  const by = handlers(run);
  return {
    ...Object.fromEntries(Object.entries(by).map(([name, handler]) => [name, called(handler)])),
    arch_ftrace_ops_list_func: (k, cpu) => opsListFunc(k, cpu, by),
    ftrace_ops_assist_func: (k, cpu) => {
      const name = opsFor(k, cpu);
      by[opsOf(k, name).func]!(k, hitOf(k, cpu), name);
    },
    ftrace_return_to_handler: (k, cpu) => run(k, ftraceReturnToHandler.name, { cpu }),
    arch_rethook_trampoline_callback: (k, cpu) => run(k, archRethookTrampolineCallback.name, { cpu }),
    panic: () => {
      throw new Oops('panic', 'nobody knows where a return goes');
    },
  };
}
