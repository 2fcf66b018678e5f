import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { Profile } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';

/** One action of a sequence: what was before, what came of it. */
export interface Moment {
  /** The action before it; undefined for the first. */
  readonly previous: Previous | undefined;
  readonly before: KernelView;
  readonly action: Action;
  readonly outcome: Outcome;
  readonly after: KernelView;
  /** What clients were promised before the action, and after it. */
  readonly promised: Promises;
  readonly promises: Promises;
  /** The kernel's routines, for what a law tries on a copy of the kernel. */
  readonly program: KernelProgram;
  /** A failure that was ordered has happened in this sequence. */
  readonly injected: boolean;
}

/** What is kept of the action before. */
export type Previous = Pick<Moment, 'before' | 'action' | 'outcome' | 'promised'>;

/** What a law says of a moment: nothing, that it had a say and all is well, or what is wrong. */
export type Judgement = 'not applicable' | 'held' | AttachFinding;

/** A property of every sequence of client calls, judged after each of them. */
export interface AttachLaw {
  /** `ftrace/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** What its witness is, to be read after "held while". */
  readonly witness: string;
  /** It looks at nothing but the kernel after an action, and is asked of what interleaved operations leave as well. */
  readonly settled?: true;
  /** What its premise wants that a kernel does not have; undefined: sequences can put it to the test there. */
  readonly lacks?: (profile: Profile) => string | undefined;
  readonly judge: (moment: Moment) => Judgement;
}

/** Whether ftrace still works: nothing is promised of one that has found itself damaged. */
export function isAlive({ after, outcome }: Moment): boolean {
  return !after.ftrace.disabled && outcome.died === undefined;
}
