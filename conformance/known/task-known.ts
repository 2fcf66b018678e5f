import type { TaskPlanted } from '../../properties/planted/task-planted.ts';

/** A law of interleavings that a real kernel breaks, and where that was seen. */
export interface KnownTask extends Pick<TaskPlanted, 'name' | 'sentence' | 'law' | 'scenario' | 'grain'> {
  /** The source that shows it. */
  readonly evidence: string;
  /** Profiles that show it, and those among the three that do not. */
  readonly kernels: readonly string[];
  readonly others: readonly string[];
  /** Those that do not have what the scenario sets up. */
  readonly lacks?: readonly string[];
  /** What the law says: what is expected / what is observed. */
  readonly shows: RegExp;
  /** Moves to the nearest such breach, for each of the kernels. */
  readonly moves: readonly number[];
}
