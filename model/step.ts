import { createDraft, finishDraft } from 'immer';
import { linkage } from './api.ts';
import { functionsCalled, runCall } from './call/call.ts';
import type { CallRequest } from './call/call-frame.ts';
import { crashOf } from './call/exception.ts';
import type { KernelProgram } from './call/kernel-program.ts';
import type { Outcome } from './call/outcome.ts';
import type { Action } from './client/all.ts';
import { callOf } from './client/all.ts';
import { fixedKeys } from './core/fixed-keys.ts';
import type { ProgId } from './core/ids.ts';
import { InputError } from './core/input-error.ts';
import type { Edit } from './core/link.ts';
import { linkProgram } from './core/link.ts';
import { Oops } from './core/oops.ts';
import { profileNamed } from './core/profile.ts';
import type { Unregister } from './core/register.ts';
import { once } from './core/register.ts';
import type { Watch } from './core/run.ts';
import { Hung, runner } from './core/run.ts';
import { elapseOnce, perform, settle } from './core/schedule.ts';
import { unreachable } from './core/unreachable.ts';
import { runXdpProgram, XDP_FUNCTIONS, xdpMemory } from './dispatcher/run.ts';
import { FTRACE_FUNCTIONS } from './ftrace/run/c-functions.ts';
import { CLIENT_FUNCTIONS } from './ftrace/run/hooks.ts';
import { kprobeInt3Handler } from './ftrace/run/kprobe-int3.ts';
import { doTaskDead } from './ftrace/task-exit.ts';
import type { Kernel } from './kernel.ts';
import { isMisuse } from './misuse.ts';
import { kprobePerfFunc } from './perf-event/kprobe-run.ts';
import { PERF_FUNCTIONS } from './perf-event/run.ts';
import { RAW_TRACEPOINT_FUNCTIONS } from './raw-tracepoint/run.ts';
import type { CFunctions, Cpu } from './text/cpu.ts';
import { allAtOnce } from './text/cpu.ts';
import type { MemoryObject } from './text/memory-object.ts';
import { tracepointMemory } from './tracepoint/memory.ts';
import { TRACEPOINT_FUNCTIONS } from './tracepoint/probe-functions.ts';
import { BPF_FUNCTIONS, runProgram } from './trampoline/bpf-functions.ts';
import { CGROUP_FUNCTIONS } from './trampoline/cgroup-run.ts';
import { DESIGNS, listDesign } from './trampoline/designs/all.ts';
import { designOf, likeDesign, NO_DESIGN } from './trampoline/designs/chosen.ts';
import type { Design } from './trampoline/designs/design.ts';
import type { Word } from './x86/word.ts';

/*
 * One action is one transition of the sequential model: it runs with no other operation and no traced call in
 * between. A `call` of a task executes machine code from the caller's `call` to its return; any other action
 * runs a routine, whose grace periods pass at its waits. The explorer does not come this way: it runs the same
 * routines instruction by instruction.
 */

/** The functions in C that text calls, by name. */
function cFunctions(): CFunctions<Kernel> {
  return {
    ...FTRACE_FUNCTIONS,
    ...allAtOnce(CLIENT_FUNCTIONS),
    ...BPF_FUNCTIONS,
    ...CGROUP_FUNCTIONS,
    ...Object.assign({}, ...DESIGNS.map(({ cFunctions = {} }) => cFunctions)),
    ...TRACEPOINT_FUNCTIONS,
    ...RAW_TRACEPOINT_FUNCTIONS,
    ...PERF_FUNCTIONS,
    ...XDP_FUNCTIONS,
    program: { atOnce: runAny },
    do_task_dead: { atOnce: doTaskDead },
  };
}

/**
 * The model as it is, with the designs that there are now; planted bugs link programs of their own. A live
 * binding: importers see the program of a design that was registered after they were loaded.
 */
export let KERNEL_PROGRAM = linkKernel([]);

/** That of the tree. */
const BUILT_IN = KERNEL_PROGRAM;
/** Designs from outside. */
let outside = 0;

/** Whether a program is that of the tree: nothing is planted, and no design is from outside. */
export function isBuiltIn(program: KernelProgram): boolean {
  return program === BUILT_IN;
}

export function linkKernel(edits: readonly Edit[]): KernelProgram {
  const program = linkProgram({ ...linkage(), edits });
  const run = runner(program);
  return {
    ...program,
    cFunctions: cFunctions(),
    run,
    memory: dataInMemory,
    int3: (k, cpu, place) => kprobeInt3Handler(k, cpu, place, (hit) => run(k, kprobePerfFunc.name, hit)),
  };
}

/**
 * A design from outside the tree: `6.12, multiLinks = NAME` boots a kernel with it from then on. Kernels
 * that are under way run as they were linked. Throws an InputError when its name cannot be that of a
 * design, or it cannot be linked.
 */
export function registerDesign(design: Design): Unregister {
  if (!/^[\w-]+( [\w-]+)*$/.test(design.name) || design.name === NO_DESIGN)
    throw new InputError(`"${design.name}" is not the name of a design; that is like: one by one`);
  likeDesign(design);
  const unlist = listDesign(design);
  try {
    KERNEL_PROGRAM = linkKernel([]);
  } catch (error) {
    unlist();
    throw new InputError(`the design ${design.name} cannot be linked: ${(error as Error).message}`);
  }
  outside++;
  return once(() => {
    unlist();
    outside--;
    KERNEL_PROGRAM = outside === 0 ? BUILT_IN : linkKernel([]);
  });
}

/** A program on a trampoline, or of a device. */
function runAny(k: Kernel, cpu: Cpu, number: ProgId): void {
  if (k.bpf.progs[number]?.probe === 'xdp') runXdpProgram(k, cpu, number);
  else runProgram(k, cpu, number);
}

/** Data that machine code reads: of the design of multi links, of tracepoints, and of devices. */
function dataInMemory(k: Kernel, address: Word): MemoryObject | undefined {
  return (
    designOf(profileNamed(k.profile))?.memory?.(k, address) ??
    tracepointMemory(k, address) ??
    xdpMemory(k, address)
  );
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
    // A deadlock or a crash of the modelled kernel is an outcome, and so is an exception of its routines.
    const died = error instanceof Hung || error instanceof Oops ? error.crash : crashOf(error);
    return { errno: 0, warnings: k.warnings, died };
  }
}

/**
 * `next` of an ops that was taken off ftrace_ops_list is kept, because a task that walks the list may be at it.
 * Between two operations no task is in a call: states that differ in it alone are the same. A loop, because
 * most kernels have none, and an empty object is not to be replaced by another.
 */
function forgetUnlinked({ ftrace }: Kernel): void {
  for (const _ in ftrace.unlinked) {
    ftrace.unlinked = {};
    return;
  }
}

/** Every grace period that is waited for in the background passes once: whether there was one. */
export function passOnce(k: Kernel, program: KernelProgram = KERNEL_PROGRAM): boolean {
  return elapseOnce(program, k);
}

type Done = Omit<Outcome, 'warnings'>;

/** One budget for each function: an operation that visits all records takes steps for each of them. */
function act(k: Kernel, action: Action, program: KernelProgram, watch?: Watch): Done {
  const { service, returnsNothing } = callOf(action);
  switch (service.by) {
    case 'routine': {
      const { routine, args } = service.request(action, k);
      const functions = Math.max(1, fixedKeys(k.functions).length);
      const errno = perform(program, k, routine, args, { watch, functions });
      return { errno: returnsNothing === true ? 0 : errno };
    }
    case 'client':
      return { errno: service.atOnce(k, action) };
    case 'task':
      return runTask(k, service.request(action), program);
    case 'time':
      settle(program, k, watch);
      return { errno: 0 };
    default:
      return unreachable(service);
  }
}

function runTask(k: Kernel, request: CallRequest, program: KernelProgram): Done {
  return { errno: 0, call: runCall(k, functionsCalled(k, request.fn), request, program) };
}
