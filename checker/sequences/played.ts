import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Watch } from '../../model/core/run.ts';
import type { AttachFinding } from '../../properties/finding/attach-finding.ts';
import type { AttachLaw, Moment } from '../../properties/law/sequence-law.ts';
import type { LockEdges } from '../../properties/locks/lock-order.ts';
import type { WaitHistory } from '../../properties/waits/wait-watch.ts';
import type { KnownAttachBreach } from './known-breach.ts';

/* The questions about a sequence that is played, and the answers. */

/** The questions about a sequence. */
export interface AttachQuestion {
  readonly laws: readonly AttachLaw[];
  /** The kernel's routines; a planted bug replaces some. A law that breaks without it too is not its doing. */
  readonly program?: KernelProgram;
  readonly watch?: Watch;
  readonly known?: readonly KnownAttachBreach[];
  /**
   * All laws, where only some are checked: a sequence ends where a known breach of another law corrupts the state, and a
   * breach after it is a consequence. Absent: none is.
   */
  readonly others?: readonly AttachLaw[];
  /** Known breaches apply to these routines as if they were the kernel's own: a kernel's fault, not a planted one. */
  readonly asKernel?: true;
}

/** One action of a sequence, with the kernel before and after it. */
export type Step = Pick<Moment, 'before' | 'action' | 'outcome' | 'after'>;

/** The first law that a sequence broke, and where. */
export interface AttachBreach {
  readonly law: AttachLaw;
  readonly finding: AttachFinding;
  /** Index of the action. */
  readonly at: number;
  readonly moment: Moment;
  /** The actions before it, from the boot. */
  readonly history: readonly Past[];
}

/** An action of a sequence, with the kernel before it. */
export type Past = Pick<Moment, 'before' | 'action' | 'outcome'>;

/** And the player's other state then. */
export type Played = Pick<Moment, 'before' | 'action' | 'outcome' | 'promised' | 'faults'> & {
  /** The order in which locks were taken before it. */
  readonly lockEdges: LockEdges;
  /** What had been waited for before it. */
  readonly waits: WaitHistory;
};

export interface SequenceRun {
  readonly outcomes: readonly Outcome[];
  /** Laws that applied. */
  readonly witnesses: ReadonlySet<AttachLaw>;
  readonly breach: AttachBreach | undefined;
  /** The known breach, if it is one. */
  readonly known: KnownAttachBreach | undefined;
  /** The breach, unless it is known, or shown without the planted bug as well. */
  readonly newBreach: AttachBreach | undefined;
  /** The kernel crashed: later actions were not run. */
  readonly died: boolean;
}
