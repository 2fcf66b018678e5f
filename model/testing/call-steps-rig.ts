import { runCall } from '../call/call.ts';
import type { CallRun } from '../call/call-frame.ts';
import type { KernelProgram } from '../call/kernel-program.ts';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import type { FunctionName, GraphOpsId, KretprobeId, OpsId } from '../core/ids.ts';
import type { Instruction } from '../core/instruction.ts';
import { DO } from '../core/instruction.ts';
import type { Locals } from '../core/part.ts';
import { startOperation, stepOperation } from '../core/run.ts';
import { perform } from '../core/schedule.ts';
import type { RoutineFrame } from '../core/world.ts';
import type { Kernel } from '../kernel.ts';
import { KERNEL_PROGRAM } from '../step.ts';
import { knownFunction, tracedFunction } from '../trampoline/traced-function.ts';
import { ZERO } from '../x86/word.ts';
import { Rig } from './attach-rig.ts';

/**
 * Reads a kernel, or changes it, in the middle of a call: before an instruction of a routine that the call runs, of
 * which these are the frames.
 */
export type BetweenSteps = (k: Kernel, next: Instruction, frames: readonly RoutineFrame[]) => void;

/** A call with zeros for arguments, in which routines are stepped one instruction at a time. */
export function callInSteps(k: Kernel, fn: FunctionName, between: BetweenSteps): CallRun {
  const program: KernelProgram = {
    ...KERNEL_PROGRAM,
    run: (world, routine, args) => {
      const operation = startOperation(KERNEL_PROGRAM, routine, args);
      const watch = { step: (next: Instruction) => between(world as Kernel, next, operation.frames) };
      while (stepOperation(KERNEL_PROGRAM, world, operation, watch) === undefined);
    },
  };
  const functions = Object.keys(k.functions).map((name) => knownFunction(k.functions, name));
  const registers = Array.from({ length: 6 }, () => ZERO);
  return runCall(k, functions, { fn, registers, stack: [] }, program);
}

/** Does something once, before the n-th time that a part of a routine is come to. */
export function inFrontOf(routine: string, id: string, what: (k: Kernel) => void, nth = 1): BetweenSteps {
  let times = 0;
  return (k, next) => {
    if (next.routine !== routine || next.id !== id || next.do === DO.JUMP) return;
    times++;
    if (times === nth) what(k);
  };
}

/** The observers of a call of f1, in their order. */
export function seenBy(k: Kernel, between: BetweenSteps): readonly string[] {
  return callInSteps(k, 'f1', between).events.map(({ who }) => who);
}

/** A client call that succeeds, whether in the middle of a call or not; throws when it does not. */
export function succeed(k: Kernel, routine: string, args: Locals): void {
  const errno = perform(KERNEL_PROGRAM, k, routine, args);
  if (errno !== 0) throw new Error(`${routine} answers ${errno}`);
}

/** A kernel whose only function is f1, with these clients, which were registered in this order. */
export function withClients(profile: string, ...actions: readonly Action[]): Rig {
  const rig = new Rig(profile, [tracedFunction('f1', 1, 'u64 -> u64')]);
  for (const action of actions) {
    const errno = rig.answer(action);
    if (errno !== 0) throw new Error(`${action.do} answers ${errno}`);
  }
  return rig;
}

/** Clients of f1. */
export const CLIENT = {
  ops: (ops: OpsId): Action[] => [
    { do: 'ftrace_ops', ops, flags: 0, direct: false },
    filterOn(ops, 'f1'),
    { do: 'register_ftrace_function', ops },
  ],
  graph: (gops: GraphOpsId): Action => ({ do: 'register_ftrace_graph', gops }),
  kprobe: (name: string, post = false): Action => ({ do: 'register_kprobe', kprobe: name, ip: 'f1', post }),
  kretprobe: (kretprobe: KretprobeId): Action => ({
    do: 'register_kretprobe',
    kretprobe,
    ip: 'f1',
    maxactive: 0,
    entryHandler: true,
  }),
  fprobe: (name: string, exit = true): Action => ({
    do: 'register_fprobe_ips',
    fprobe: name,
    ips: ['f1'],
    entry: true,
    exit,
  }),
};
