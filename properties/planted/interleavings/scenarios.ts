import type { Action } from '../../../model/client/all.ts';
import type { FunctionName, OpsId, ProgId } from '../../../model/core/ids.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../../model/ftrace/ops.ts';
import type { TracingKind } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { noreturnFunction } from '../../../model/trampoline/traced-function.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { callerOf } from '../../observed/sample-call.ts';
import type { CallerScript, Scenario, StartsAt } from '../../observed/scenario.ts';
import { F1, F2, filter, load } from '../sequences/actions.ts';

/*
 * Short forms of scenarios: by default on `f1`, with one task that calls it, on one CPU.
 */

/** A scenario from its differences to the default. */
export function scenario(parts: Partial<Omit<Scenario, 'profile'>>): Omit<Scenario, 'profile'> {
  return { functions: [F1], setup: [], clients: [], callers: [calls('f1')], cpus: 1, ...parts };
}

/** A task that makes one call of a function with one argument. */
export function calls(fn: FunctionName, more: Omit<CallerScript, 'call'> = {}): CallerScript {
  return { ...callerOf(fn), ...more };
}

/** A call that sleeps in a program, or in the body of the function (`body_hook`), before any other actor begins. */
export function asleepIn(place: string, fn = 'f1'): CallerScript {
  return calls(fn, { startsAt: { place, condition: 'asleep' } satisfies StartsAt });
}

/** Loads a program with this number, which may sleep. */
export function loadSleepable(id: number, kind: TracingKind = 'fentry', target = 'f1'): Action {
  const program = { ...plainProgram(id), kind, sleepable: true };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

export function loadFor(target: FunctionName, id: number, kind: TracingKind = 'fentry'): Action {
  const program = { ...plainProgram(id), kind };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

export function open(prog: ProgId, link = prog): Action {
  return { do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${link}`, prog };
}

export function close(link: number): Action {
  return { do: 'close(link)', link: `link#${link}` };
}

export function closeProg(prog: ProgId): Action {
  return { do: 'close(prog)', prog };
}

export function kfree(object: string): Action {
  return { do: 'kfree', object };
}

/** An ops with a handler and a filter. */
export function tracer(ops: OpsId, ip = 'f1', flags = 0): Action[] {
  return [{ do: 'ftrace_ops', ops, flags, direct: false }, filter(ops, ip)];
}

export function livePatchOn(ops: OpsId, ip = 'f1'): Action[] {
  return tracer(ops, ip, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY);
}

export function register(ops: OpsId): Action {
  return { do: 'register_ftrace_function', ops };
}

export function unregister(ops: OpsId): Action {
  return { do: 'unregister_ftrace_function', ops };
}

/** A live-patched function whose calls walk the list, for another ops traces it. */
export const PATCHED_ON_THE_LIST: readonly Action[] = [
  ...livePatchOn('ops#1'),
  register('ops#1'),
  ...tracer('ops#2'),
  register('ops#2'),
];

/** A direct call of a client's own ops. */
export function directCall(n: number, ip = 'f1'): Action[] {
  return [{ do: 'ftrace_ops', ops: `direct#${n}`, flags: 0, direct: true }, filter(`direct#${n}`, ip)];
}

export function registerDirect(n: number): Action {
  return { do: 'register_ftrace_direct', ops: `direct#${n}`, addr: `my_tramp${n}` };
}

export function modifyDirect(n: number, tramp: number): Action {
  return { do: 'modify_ftrace_direct', ops: `direct#${n}`, addr: `my_tramp${tramp}` };
}

/** A call makes its direct call through the ops list, while another function gets one. */
export const THROUGH_THE_LIST = scenario({
  functions: [F1, F2],
  setup: [...directCall(1), registerDirect(1), ...tracer('ops#1'), register('ops#1'), ...directCall(2, 'f2')],
  clients: [[registerDirect(2)]],
});

/** A program runs after a function that does not return, where a kernel accepts it, and is detached. */
export const ENDS_IN_THE_FUNCTION = scenario({
  functions: [noreturnFunction(F1)],
  clients: [[load(1, 'fexit'), open(1), close(1)]],
});
