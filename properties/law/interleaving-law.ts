import type { CallRun } from '../../model/call/call-frame.ts';
import type { Caller } from '../../model/call/caller.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Active } from '../../model/call/thread.ts';
import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { ProgId } from '../../model/core/ids.ts';
import type { KernelObject } from '../../model/core/kernel-object.ts';
import type { Flavour } from '../../model/core/part.ts';
import type { Profile } from '../../model/core/profile.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Ended } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Current } from '../../model/task/current.ts';
import type { LockFinding } from '../finding/lock-finding.ts';
import type { TaskFinding } from '../finding/task-finding.ts';
import type { Interruption, Scenario } from '../observed/scenario.ts';
import type { Wait } from './wait.ts';

/** An operation of a client and its answer; undefined while it is in progress. */
export interface DoneOperation {
  readonly client: number;
  readonly action: Action;
  readonly answer: Ended | undefined;
}

/** An event in a run of interleaved tasks that laws judge. */
export type Happening =
  /** The kernel crashed. */
  | { readonly is: 'crash'; readonly crash: Crash }
  /** A CPU has fetched an instruction that is being patched: an int3, or the instruction itself. */
  | { readonly is: 'fetched'; readonly int3: boolean }
  /** Memory was freed while a call was in progress. */
  | { readonly is: 'freed'; readonly object: KernelObject }
  /** A call has returned to its caller. */
  | {
      readonly is: 'call over';
      readonly caller: number;
      readonly run: CallRun;
      /** What it has added to counters of misses, by client. */
      readonly missed: Caller['missed'];
      /** The task, or what interrupted its call. */
      readonly by: 'task' | Interruption;
      /** Of an interrupt: what the task was in when it came. */
      readonly within: Current | undefined;
      /** Operations that had ended when it began, and those in progress at some time during it, in order. */
      readonly before: readonly DoneOperation[];
      readonly during: readonly DoneOperation[];
    }
  | { readonly is: 'operation over'; readonly done: DoneOperation }
  /** A step of an operation, or of background work, was made without a lock. */
  | { readonly is: 'unlocked'; readonly unlocked: readonly LockFinding[] }
  /** The kernel has warned; in an operation, with it and its client's earlier operations. */
  | {
      readonly is: 'warned';
      readonly warnings: readonly Warning[];
      readonly action?: Action;
      readonly before?: readonly DoneOperation[];
    }
  /** A task is about to run a program's body; `bodies`: the number of tasks on its CPU, itself included, that are. */
  | { readonly is: 'runs program'; readonly prog: ProgId; readonly bodies: number }
  /** An operation waits for a grace period. */
  | {
      readonly is: 'operation waits';
      readonly client: number;
      readonly action: Action;
      readonly flavour: Flavour;
    }
  /**
   * No actor can run, and at least one has not finished: the shortest cycle of waits, or if there is none, all waits.
   */
  | { readonly is: 'stuck'; readonly waits: readonly Wait[] }
  /**
   * All states are explored, and from this one not every actor can finish: the actors, their waits, and the endless
   * cycle.
   */
  | {
      readonly is: 'trapped';
      readonly unfinished: readonly string[];
      readonly waits: readonly Wait[];
      /** A cycle of moves; empty: no actor can run. */
      readonly cycle: readonly number[];
    }
  /** All actors have finished. */
  | { readonly is: 'end'; readonly done: readonly DoneOperation[] };

/** A call that has returned to its caller. */
export type CallOver = Extract<Happening, { readonly is: 'call over' }>;

/** What a law judges. */
export interface TaskMoment {
  readonly scenario: Scenario;
  readonly program: KernelProgram;
  readonly happening: Happening;
  /**
   * The kernel after the event; before it for a crash. One object may show one kernel after the other: what a law keeps
   * beyond its answer is not to depend on which object it is.
   */
  readonly kernel: KernelView;
  /** For each CPU, the programs that run on it. */
  readonly running: readonly Active[];
}

/** Not applicable, held, or a breach. */
export type TaskJudgement = 'not applicable' | 'held' | TaskFinding;

/** A property of every interleaving of tasks. */
export interface TaskLaw {
  /** `task/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** The text of its witness in "exercised in 8.2 % of sequences (…)". */
  readonly witness: string;
  /** What the kernel lacks for the law's premise; undefined: interleavings can exercise the law there. */
  readonly lacks?: (profile: Profile) => string | undefined;
  readonly judge: (moment: TaskMoment) => TaskJudgement;
  /** It is exercised only in final states: all have finished, or no actor can move. */
  readonly isOfEnds?: true;
  /** It is judged over all states together (`lively()`), not event by event. */
  readonly isLiveness?: true;
}
