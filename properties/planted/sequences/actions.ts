import type { Action, ActionOf } from '../../../model/client/all.ts';
import { filterOn } from '../../../model/client/ftrace-set-filter-ip.ts';
import type { FunctionName, OpsId } from '../../../model/core/ids.ts';
import { DISPATCHER_FUNC } from '../../../model/dispatcher/dispatcher.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../../model/ftrace/ops.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import type { BpfProgram, TracingKind } from '../../../model/trampoline/program.ts';
import { plainProgram, probeProgram } from '../../../model/trampoline/program.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { callOf } from '../../observed/sample-call.ts';

/*
 * Short forms of client calls, by default on one function, in the form that a search shrinks to.
 */

export const F1 = tracedFunction('f1', 1, 'u64 -> u64');
export const F2 = tracedFunction('f2', 2, 'u64 -> u64');

/** A device, and the function that dispatches its packets. */
export const ETH0 = tracedFunction('eth0', 1, 'u64 -> u64');
export const DISPATCHER = tracedFunction(DISPATCHER_FUNC, 9, 'ptr, ptr, ptr -> u32');

/** The packets of a device run a program; 0: none any more. */
export function runsOn(device: number, prog: number): Action {
  return { do: 'dev_change_xdp_fd', dev: `eth${device}`, prog };
}

export const CALL_F1: Action = callOf(F1, 0);

export function kprobe(n: number, post = false, ip = 'f1'): Action {
  return { do: 'register_kprobe', kprobe: `kprobe#${n}`, ip, post };
}

/** At an offset where an instruction begins with `endbr64` and without. */
export function kprobeInBody(n: number): Action {
  return { do: 'register_kprobe', kprobe: `kprobe#${n}`, ip: 'f1', offset: 10, post: false };
}

export function kretprobe(n: number, ip = 'f1', entryHandler = false): ActionOf<'register_kretprobe'> {
  return {
    do: 'register_kretprobe',
    kretprobe: `kretprobe#${n}`,
    ip,
    maxactive: 0,
    entryHandler,
  };
}

export function fprobe(n: number, entry = true, exit = false, ip = 'f1'): ActionOf<'register_fprobe_ips'> {
  return { do: 'register_fprobe_ips', fprobe: `fprobe#${n}`, ips: [ip], entry, exit };
}

export function graph(n: number): Action {
  return { do: 'register_ftrace_graph', gops: `gops#${n}` };
}

export function livePatch(ops: OpsId): Action {
  return { do: 'ftrace_ops', ops, flags: FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY, direct: false };
}

export function filter(ops: OpsId, ip = 'f1'): Action {
  return filterOn(ops, ip);
}

export function direct(n: number, tramp = 1): Action {
  return { do: 'register_ftrace_direct', ops: `direct#${n}`, addr: `my_tramp${tramp}` };
}

/** A direct call of f1, through an ops's table. */
export function directAdd(n: number): Action {
  return { do: 'update_ftrace_direct_add', ops: `direct#${n}`, hash: { f1: 'my_tramp1' } };
}

export function load(id: number, kind: TracingKind = 'fentry', cookie = 0): ActionOf<'BPF_PROG_LOAD'> {
  const program = { ...plainProgram(id), kind, cookie: fromNumber(cookie) };
  return { do: 'BPF_PROG_LOAD', program, target: 'f1', probe: '', returns: ZERO };
}

/** A program for kprobe.multi. */
export function probeLoad(program: Partial<BpfProgram>): ActionOf<'BPF_PROG_LOAD'> {
  return {
    do: 'BPF_PROG_LOAD',
    program: { ...probeProgram(1), ...program },
    target: '',
    probe: 'entry',
    returns: ZERO,
  };
}

export function link(n: number, prog = n, targets: readonly FunctionName[] = []): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${n}`, prog, targets };
}

/** Loads and attaches a program. */
export function attached(kind: TracingKind, cookie = 0): Action[] {
  return [load(1, kind, cookie), link(1)];
}

export function failing(what: 'allocation' | 'poke', where: string): Action {
  return { do: 'fail', fault: { what, where } };
}

/** The tracepoint of planted bugs. */
export const TRACEPOINT = TRACEPOINTS.find(({ name }) => name === 'xdp_exception')!;

/** A probe of it, distinguished by its data. */
export function probeOf(n: number, func = 'my_probe1') {
  return { tracepoint: TRACEPOINT.name, func, data: `data#${n}` };
}

export function registered(n: number, func?: string): Action {
  return { do: 'tracepoint_probe_register_prio', ...probeOf(n, func), prio: DEFAULT_PRIO };
}
