import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Misses } from '../../model/call/thread.ts';
import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { Profile } from '../../model/core/profile.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { LockFacts } from '../locks/lock-watch.ts';
import type { WaitFacts } from '../waits/wait-watch.ts';

/** One action of a sequence, with the kernel before and after it. */
export interface Moment {
  /** The previous action; undefined for the first. */
  readonly previous: Previous | undefined;
  readonly before: KernelView;
  readonly action: Action;
  readonly outcome: Outcome;
  readonly after: KernelView;
  /** The clients' contracts before and after the action. */
  readonly promised: Promises;
  readonly promises: Promises;
  /** The kernel's routines, for a law that tries something on a copy of the kernel. */
  readonly program: KernelProgram;
  /** The injected failures that have occurred in this sequence, oldest first. */
  readonly faults: readonly InjectedFault[];
  /** What the action did with locks; undefined: no law judges that. */
  readonly locking?: LockFacts | undefined;
  /** Memory that was freed, and the waits before; undefined: no law judges that. */
  readonly freeing?: WaitFacts | undefined;
  /** The misses that were counted, by client; absent: the counters of the kernel's state say so. */
  readonly missed?: ReadonlyMap<string, Misses>;
}

/** The part of the previous action that is kept. */
export type Previous = Pick<Moment, 'before' | 'action' | 'outcome' | 'promised'>;

/** Not applicable, held, or a breach. */
export type Judgement = 'not applicable' | 'held' | AttachFinding;

/** A property of every sequence of client calls, judged after each call. */
export interface AttachLaw {
  /** `ftrace/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** The text of its witness in "exercised in 8.2 % of sequences (…)". */
  readonly witness: string;
  /** It checks only the kernel after an action, and so is also judged after interleaved operations. */
  readonly settled?: true;
  /** It judges what an action does with locks. */
  readonly watchesLocks?: true;
  /** It judges the waits before memory is freed. */
  readonly watchesWaits?: true;
  /** It judges an action together with the previous one. */
  readonly asksPrevious?: true;
  /** What the kernel lacks for the law's premise; undefined: sequences can exercise the law there. */
  readonly lacks?: (profile: Profile) => string | undefined;
  readonly judge: (moment: Moment) => Judgement;
}

/** Whether ftrace still works: a dead ftrace promises nothing. */
export function isAlive({ after, outcome }: Moment): boolean {
  return !after.ftrace.disabled && outcome.died === undefined;
}
