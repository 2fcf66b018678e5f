import type { Edit } from '../../../model/core/link.ts';
import type { TaskLaw } from '../../law/interleaving-law.ts';
import type { Scenario } from '../../observed/scenario.ts';

/** A deliberate fault in one part of the kernel's routines that shows when tasks are interleaved. */
export interface TaskPlanted {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  /** The law that has to find it. */
  readonly law: TaskLaw;
  /** The kernel in which it is looked for, and what is overridden there. */
  readonly profile: string;
  /** None: what is overridden is the fault, and `sound` is the kernel without it. */
  readonly edits: readonly Edit[];
  readonly sound?: string;
  /** Cut at every instruction: it shows where nothing can be seen from outside. */
  readonly grain?: 'instruction';
  /** The smallest scenario that shows it. */
  readonly scenario: Omit<Scenario, 'profile'>;
  /** What its law says then: what is expected / what is observed. */
  readonly finding: string;
  /** Moves from the first state to the breach: the fewest. */
  readonly moves: number;
}
