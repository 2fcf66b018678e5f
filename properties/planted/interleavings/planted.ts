import type { Edit } from '../../../model/core/link.ts';
import type { TaskLaw } from '../../law/interleaving-law.ts';
import type { Scenario } from '../../observed/scenario.ts';

/** A deliberate fault in one part of the kernel's routines that shows when tasks are interleaved. */
export interface TaskPlanted {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  /** The law that has to find it. */
  readonly law: TaskLaw;
  /** The kernel, with its overrides, in which the law finds it. */
  readonly profile: string;
  /** Empty: the override is the fault, and `sound` is the kernel without it. */
  readonly edits: readonly Edit[];
  readonly sound?: string;
  /** Cut at every instruction: the fault shows where no event is visible from outside. */
  readonly grain?: 'instruction';
  /** The smallest scenario that shows it. */
  readonly scenario: Omit<Scenario, 'profile'>;
  /** The law's finding there: expected / observed. */
  readonly finding: string;
  /** The least number of moves from the initial state to the breach. */
  readonly moves: number;
}
