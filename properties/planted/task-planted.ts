import type { Edit } from '../../model/core/link.ts';
import type { Scenario } from '../explore/scenario.ts';
import type { TaskLaw } from '../task/task-law.ts';

/** A deliberate fault in one labelled step of the kernel's routines that shows only in some interleavings. */
export interface TaskPlanted {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** The law that has to find it. */
  readonly law: TaskLaw;
  /** The kernel in which it is looked for. */
  readonly profile: string;
  readonly edits: readonly Edit[];
  /** The smallest scenario that shows it. */
  readonly scenario: Scenario;
}
