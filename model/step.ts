import { createDraft, finishDraft } from 'immer';
import type { Action, ActionOf } from './action.ts';
import { ROUTINES, UPCALLS } from './api.ts';
import { functionsCalled, runCall } from './call/call.ts';
import type { KernelProgram } from './call/kernel-program.ts';
import type { Outcome } from './call/outcome.ts';
import { allocated, kfree } from './client/kfree.ts';
import type { Errno } from './core/errno.ts';
import type { Edit } from './core/link.ts';
import { linkProgram } from './core/link.ts';
import { Oops } from './core/oops.ts';
import { profileNamed } from './core/profile.ts';
import type { Watch } from './core/run.ts';
import { Hung, runner } from './core/run.ts';
import { perform, settle } from './core/schedule.ts';
import { freeHashes } from './ftrace/filter-hash.ts';
import { FTRACE_OPS_FL_ENABLED, opsOf, zeroedOps } from './ftrace/ops.ts';
import { FTRACE_FUNCTIONS } from './ftrace/run/c-functions.ts';
import { CLIENT_FUNCTIONS } from './ftrace/run/hooks.ts';
import { doTaskDead } from './ftrace/task-exit.ts';
import type { Kernel } from './kernel.ts';
import { isMisuse } from './misuse.ts';
import { operationOf, returnsNothing } from './operation.ts';
import { RAW_TRACEPOINT_FUNCTIONS } from './raw-tracepoint/run.ts';
import type { CFunctions } from './text/cpu.ts';
import { allAtOnce } from './text/cpu.ts';
import type { MemoryObject } from './text/memory-object.ts';
import { tracepointMemory } from './tracepoint/memory.ts';
import { TRACEPOINT_FUNCTIONS } from './tracepoint/probe-functions.ts';
import { BPF_FUNCTIONS, runProgram } from './trampoline/bpf-functions.ts';
import { DESIGNS } from './trampoline/designs/all.ts';
import { designOf } from './trampoline/designs/chosen.ts';
import type { Word } from './x86/word.ts';

/** What the functions in C do that text calls, by name. */
const C_FUNCTIONS: CFunctions<Kernel> = {
  ...FTRACE_FUNCTIONS,
  ...allAtOnce(CLIENT_FUNCTIONS),
  ...BPF_FUNCTIONS,
  ...Object.assign({}, ...DESIGNS.map(({ cFunctions }) => cFunctions)),
  ...TRACEPOINT_FUNCTIONS,
  ...RAW_TRACEPOINT_FUNCTIONS,
  program: { atOnce: runProgram },
  do_task_dead: { atOnce: doTaskDead },
};

/** The model as it is; planted bugs link programs of their own. */
export const KERNEL_PROGRAM = linkKernel([]);

export function linkKernel(edits: readonly Edit[]): KernelProgram {
  const program = linkProgram({ routines: ROUTINES, upcalls: UPCALLS, edits });
  return { ...program, cFunctions: C_FUNCTIONS, run: runner(program), memory: dataInMemory };
}

/** What the design of multi links, and what tracepoints have in memory for their code. */
function dataInMemory(k: Kernel, address: Word): MemoryObject | undefined {
  return designOf(profileNamed(k.profile))?.memory?.(k, address) ?? tracepointMemory(k, address);
}

/** An action as a pure function: the kernel that comes of it, and what the client gets. */
export function step(
  kernel: Kernel,
  action: Action,
  program: KernelProgram = KERNEL_PROGRAM,
): { readonly kernel: Kernel; readonly outcome: Outcome } {
  const draft = createDraft(kernel);
  const outcome = apply(draft, action, program);
  const answer = { ...outcome, warnings: [...outcome.warnings] };
  return { kernel: finishDraft(draft), outcome: answer };
}

/**
 * The same in place, for searches: they copy a kernel where they need it as it was, which is four times as fast as
 * drafting each change.
 */
export function apply(
  k: Kernel,
  action: Action,
  program: KernelProgram = KERNEL_PROGRAM,
  watch?: Watch,
): Outcome {
  k.warnings = [];
  if (isMisuse(k, action)) return { errno: 'EBADF', warnings: [] };
  try {
    const done = act(k, action, program, watch);
    forgetUnlinked(k);
    return { ...done, warnings: k.warnings };
  } catch (error) {
    if (!(error instanceof Hung) && !(error instanceof Oops)) throw error;
    return { errno: 0, warnings: k.warnings, died: error.crash };
  }
}

/** Nobody is in a call between two operations: nobody stands on an ops that is off the list. */
function forgetUnlinked({ ftrace }: Kernel): void {
  for (const _ in ftrace.unlinked) {
    ftrace.unlinked = {};
    return;
  }
}

type Done = Omit<Outcome, 'warnings'>;

function act(k: Kernel, action: Action, program: KernelProgram, watch?: Watch): Done {
  switch (action.do) {
    case 'call':
      return call(k, action, program);
    case 'ftrace_ops':
    case 'kfree':
    case 'fail':
      return { errno: doAtOnce(k, action) };
    case 'settle':
      settle(program, k, watch);
      return { errno: 0 };
  }
  const { routine, args } = operationOf(action);
  const functions = Math.max(1, Object.keys(k.functions).length);
  const errno = perform(program, k, routine, args, { watch, functions });
  return { errno: returnsNothing(action) ? 0 : errno };
}

/** What a client does to its own memory, and no routine is needed for. */
export function doAtOnce(k: Kernel, action: ActionOf<'ftrace_ops' | 'kfree' | 'fail'>): Errno | 0 {
  switch (action.do) {
    case 'ftrace_ops':
      return newOps(k, action);
    case 'kfree':
      kfree(k, action.object);
      return 0;
    case 'fail':
      k.fault = action.fault;
      return 0;
  }
}

/** Memory that ftrace uses cannot be taken for a new ops. */
function newOps(k: Kernel, { ops: name, flags, direct }: ActionOf<'ftrace_ops'>): Errno | 0 {
  allocated(k, name);
  if ((opsOf(k, name).flags & FTRACE_OPS_FL_ENABLED) !== 0) return 'EBADF';
  freeHashes(k, name);
  k.ftrace.ops[name] = { ...zeroedOps(name), flags, func: direct ? '' : 'ftrace_callback' };
  return 0;
}

function call(k: Kernel, { fn, registers, stack }: ActionOf<'call'>, program: KernelProgram): Done {
  const functions = functionsCalled(k, fn);
  const run = runCall(k, functions, { fn, registers, stack }, program);
  return { errno: 0, call: run };
}
