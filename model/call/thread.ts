import { entry } from '../core/present.ts';
import { answerIn } from '../core/query.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { RetStackFrame } from '../ftrace/fgraph.ts';
import type { RethookNode } from '../ftrace/probes.ts';
import type { Kernel } from '../kernel.ts';
import type { Current } from '../task/current.ts';
import { nothingForbidden } from '../task/current.ts';

/**
 * The part of a kernel state that belongs to the one task that runs: fields of its `task_struct`, and what it
 * has disabled. The scheduler takes it out and gives that of another task. Not in it: its registers and stack
 * (`snapshot.ts`), and counters of its CPU (`Active`).
 */
export interface Thread {
  readonly current: Current;
  /** `current->bpf_ctx`. */
  readonly runContext: string;
  /** The shadow stack of function graph, and its words in use. */
  readonly retStack: readonly RetStackFrame[];
  readonly used: number;
  /** `current->rethooks`. */
  readonly hooked: readonly RethookNode[];
}

/**
 * The per-CPU counters `prog->active` of one CPU, by program: __bpf_prog_enter_recur() in
 * kernel/bpf/trampoline.c skips a program whose counter is not zero. Only programs that run are named.
 */
export type Active = Readonly<Record<string, number>>;

/** What a client has missed by the kernel's counters. */
export interface Misses {
  /** By its own: `nmissed` of a probe, the misses of a program. */
  readonly own: number;
  /** By `trace_overrun`, which users of function graph share: it may be another's. */
  readonly shared: number;
}

/** A task that is in no call. */
export function idleThread(): Thread {
  return { current: nothingForbidden(), runContext: '0x0', retStack: [], used: 0, hooked: [] };
}

/** Makes a task the one that runs. The state may change what it is given. */
export function giveThread(k: Kernel, { current, runContext, retStack, used, hooked }: Thread): void {
  k.current = { ...current };
  k.bpf.runContext = runContext;
  k.fgraph.retStack = retStack.map((frame) => ({ ...frame, data: { ...frame.data } }));
  k.fgraph.used = used;
  k.probes.hooked = [...hooked];
}

/** Takes the running task's part out of the state, which is that of no task then. */
export function takeThread(k: Kernel): Thread {
  const { current } = k;
  const { runContext } = k.bpf;
  const { retStack, used } = k.fgraph;
  const { hooked } = k.probes;
  giveThread(k, idleThread());
  return { current, runContext, retStack, used, hooked };
}

/** Sets the counters of the programs that run on the CPU. */
export function giveActive(k: Kernel, active: Active): void {
  for (const prog in active) {
    const loaded = k.bpf.progs[Number(prog)];
    if (loaded !== undefined) loaded.active = entry(active, prog);
  }
}

/** Takes them out: programs that do not run are not named. */
export function takeActive(k: Kernel): Active {
  const active: Record<string, number> = {};
  for (const number of answerIn(k.bpf.progs, runningOf, '')) {
    const prog = entry(k.bpf.progs, number);
    active[number] = prog.active;
    prog.active = 0;
  }
  return active;
}

function runningOf(progs: DeepReadonly<Kernel['bpf']['progs']>): string[] {
  return Object.keys(progs).filter((number) => entry(progs, number).active !== 0);
}
