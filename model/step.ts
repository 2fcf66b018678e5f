import { createDraft, finishDraft } from 'immer';
import { match, P } from 'ts-pattern';
import type { Action, ActionOf } from './action.ts';
import { ROUTINES, UPCALLS } from './api.ts';
import type { CFunctions } from './c-function.ts';
import type { CallRun } from './call.ts';
import { runCall } from './call.ts';
import type { Errno } from './core/errno.ts';
import type { Edit, Program } from './core/link.ts';
import { linkProgram } from './core/link.ts';
import { Oops } from './core/oops.ts';
import type { Locals } from './core/part.ts';
import type { Watch } from './core/run.ts';
import { Hung, runner } from './core/run.ts';
import { perform, settle } from './core/schedule.ts';
import type { Fault } from './core/world.ts';
import { freeHashes } from './ftrace/filter-hash.ts';
import { FTRACE_OPS_FL_ENABLED, opsOf, zeroedOps } from './ftrace/ops.ts';
import { CLIENT_FUNCTIONS } from './ftrace/run/hooks.ts';
import { ftraceFunctions } from './ftrace/run/list.ts';
import type { Kernel } from './kernel.ts';
import { allocated, kfree } from './kfree.ts';
import { isMisuse } from './misuse.ts';
import { BPF_FUNCTIONS, runProgram } from './trampoline/bpf-functions.ts';
import { functionNamed } from './trampoline/traced-function.ts';

/** What came of an action. */
export interface Outcome {
  /** 0, or the errno that the client gets. `EBADF` also where the client has no such object. */
  readonly errno: Errno | 0;
  readonly warnings: readonly string[];
  /** The kernel crashed, or waits for ever: nothing that follows means anything. */
  readonly died?: string;
  /** For a call: what happened. */
  readonly call?: CallRun;
}

/** The kernel's routines, and the functions in C that text calls: some of them run routines. */
export interface KernelProgram extends Program {
  readonly cFunctions: CFunctions<Kernel>;
}

/** The model as it is; planted bugs link programs of their own. */
export const KERNEL_PROGRAM = linkKernel([]);

export function linkKernel(edits: readonly Edit[]): KernelProgram {
  const program = linkProgram({ routines: ROUTINES, upcalls: UPCALLS, edits });
  const ftrace = ftraceFunctions(runner(program));
  return {
    ...program,
    cFunctions: { ...ftrace, ...CLIENT_FUNCTIONS, ...BPF_FUNCTIONS, program: runProgram },
  };
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
    return { ...done, warnings: k.warnings };
  } catch (error) {
    if (!(error instanceof Hung) && !(error instanceof Oops)) throw error;
    return { errno: 0, warnings: k.warnings, died: error.message };
  }
}

type Done = Omit<Outcome, 'warnings'>;

/** One match, and no logic of its own: which routine an action is. What comes most often comes first. */
function act(k: Kernel, action: Action, program: KernelProgram, watch?: Watch): Done {
  const run = (routine: string, args: Locals): Done => ({ errno: perform(program, k, routine, args, watch) });
  return match(action)
    .returnType<Done>()
    .with({ do: 'call' }, (request) => call(k, request, program))
    .with({ do: 'ftrace_ops' }, (a) => newOps(k, a))
    .with({ do: 'set_ftrace_filter' }, ({ ip, remove }) =>
      run('ftrace_set_hash', { ops: 'global_ops', which: 'filter', ips: [ip], remove, reset: false }),
    )
    .with({ do: 'kernel.ftrace_enabled' }, ({ value }) => run('ftrace_enable_sysctl', { value }))
    .with({ do: 'register_kprobe' }, ({ kprobe, ip, post }) =>
      run('register_kprobe', { kprobe, ip, post, retprobe: '' }),
    )
    .with({ do: 'register_fprobe_ips' }, (a) =>
      run('register_fprobe_ips', { ...args(a), maxactive: 0, prog: 0, vetoes: false }),
    )
    .with({ do: 'BPF_PROG_LOAD' }, ({ program: loaded, target, probe, returns }) =>
      run('bpf_prog_load', { prog: loaded.id, program: loaded, target, probe, returns }),
    )
    .with({ do: 'BPF_LINK_CREATE' }, (a) => run('link_create', args(a)))
    .with({ do: 'BPF_RAW_TRACEPOINT_OPEN' }, (a) => run('link_create', { ...args(a), targets: [] }))
    .with({ do: 'update_ftrace_direct_mod' }, (a) =>
      run('update_ftrace_direct_mod', { ...args(a), lockDirectMutex: true }),
    )
    .with({ do: 'close(link)' }, (a) => run('bpf_link_release', args(a)))
    .with({ do: 'close(prog)' }, (a) => run('bpf_prog_release', args(a)))
    .with({ do: 'kfree' }, ({ object }) => free(k, object))
    .with({ do: 'fail' }, ({ fault }) => order(k, fault))
    .with({ do: 'settle' }, () => passTime(k, program, watch))
    .with({ do: P.union(...RETURN_NOTHING) }, (a) => {
      run(a.do, args(a));
      return { errno: 0 };
    })
    .otherwise((a) => run(a.do, args(a)));
}

/** Functions that return nothing: what goes wrong in them, the client does not learn. */
const RETURN_NOTHING = [
  'ftrace_free_filter',
  'unregister_ftrace_graph',
  'unregister_kprobe',
  'unregister_kretprobe',
] as const;

function order(k: Kernel, fault: Fault): Done {
  k.fault = fault;
  return { errno: 0 };
}

function free(k: Kernel, object: string): Done {
  kfree(k, object);
  return { errno: 0 };
}

function passTime(k: Kernel, program: KernelProgram, watch?: Watch): Done {
  settle(program, k, watch);
  return { errno: 0 };
}

/** An action without its name: the arguments of the routine of that name. */
function args({ do: _, ...rest }: Action): Locals {
  return rest;
}

/** Memory that ftrace uses cannot be taken for a new ops. */
function newOps(k: Kernel, { ops: name, flags, direct }: ActionOf<'ftrace_ops'>): Done {
  allocated(k, name);
  if ((opsOf(k, name).flags & FTRACE_OPS_FL_ENABLED) !== 0) return { errno: 'EBADF' };
  freeHashes(k, name);
  k.ftrace.ops[name] = { ...zeroedOps(name), flags, func: direct ? '' : 'ftrace_callback' };
  return { errno: 0 };
}

function call(k: Kernel, { fn, registers, stack }: ActionOf<'call'>, { cFunctions }: KernelProgram): Done {
  const functions = Object.keys(k.functions).map((name) => functionNamed(k.functions, name)!);
  const run = runCall(k, functions, { fn, registers, stack }, cFunctions);
  return { errno: 0, call: run };
}
