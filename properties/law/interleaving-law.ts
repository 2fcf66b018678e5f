import type { CallRun } from '../../model/call/call-frame.ts';
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
import type { TaskFinding } from '../finding/task-finding.ts';
import type { Scenario } from '../observed/scenario.ts';
import type { Wait } from './wait.ts';

/** An operation of a client, and what it has answered; undefined while it is under way. */
export interface DoneOperation {
  readonly client: number;
  readonly action: Action;
  readonly answer: Ended | undefined;
}

/** Something in a run of interleaved tasks that laws are asked about. */
export type Happening =
  /** The kernel crashed. */
  | { readonly is: 'crash'; readonly crash: Crash }
  /** A CPU has fetched an instruction that is being changed: an int3, or the instruction itself. */
  | { readonly is: 'fetched'; readonly int3: boolean }
  /** Memory was given back while a call was under way. */
  | { readonly is: 'freed'; readonly object: KernelObject }
  /** A call has come back to its caller. */
  | {
      readonly is: 'call over';
      readonly caller: number;
      readonly run: CallRun;
      /** An interrupt made it: a program that it came into is not run once more. */
      readonly interrupt: boolean;
      /** Operations that had ended when it began, and those that were under way at some time of it, in their order. */
      readonly before: readonly DoneOperation[];
      readonly during: readonly DoneOperation[];
    }
  | { readonly is: 'operation over'; readonly done: DoneOperation }
  /** The kernel has warned; in an operation, that one, and what its client has done before. */
  | {
      readonly is: 'warned';
      readonly warnings: readonly Warning[];
      readonly action?: Action;
      readonly before?: readonly DoneOperation[];
    }
  /** A task runs the body of a program; how many, itself included, are about to do so on its CPU. */
  | { readonly is: 'runs program'; readonly prog: ProgId; readonly bodies: number }
  /** An operation waits for a grace period. */
  | {
      readonly is: 'operation waits';
      readonly client: number;
      readonly action: Action;
      readonly flavour: Flavour;
    }
  /**
   * Nobody can go on, and somebody has not finished: the shortest circle of those who wait for one another, or if there
   * is none, all who wait.
   */
  | { readonly is: 'stuck'; readonly waits: readonly Wait[] }
  /** All has been looked at, and from here not everybody can finish: who, what for, and what goes on for ever. */
  | {
      readonly is: 'trapped';
      readonly unfinished: readonly string[];
      readonly waits: readonly Wait[];
      /** Moves that come back to where they began; none: nobody can go on. */
      readonly cycle: readonly number[];
    }
  /** All have finished. */
  | { readonly is: 'end'; readonly done: readonly DoneOperation[] };

/** What a law is asked about. */
export interface TaskMoment {
  readonly scenario: Scenario;
  readonly program: KernelProgram;
  readonly happening: Happening;
  /** The kernel afterwards; before a crash. */
  readonly kernel: KernelView;
  /** For each CPU, the programs that run on it. */
  readonly running: readonly Active[];
}

/** What a law says: nothing, that it had a say and all is well, or what is wrong. */
export type TaskJudgement = 'not applicable' | 'held' | TaskFinding;

/** A property of every interleaving of tasks. */
export interface TaskLaw {
  /** `task/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** What its witness is, to be read after "held while". */
  readonly witness: string;
  /** What its premise wants that a kernel does not have; undefined: interleavings can put it to the test there. */
  readonly lacks?: (profile: Profile) => string | undefined;
  readonly judge: (moment: TaskMoment) => TaskJudgement;
  /** It is asked about all states together (`lively()`), not about one happening after the other. */
  readonly isLiveness?: true;
}
