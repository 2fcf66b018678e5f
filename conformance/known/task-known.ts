import type { KnownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';

/** A law on interleavings that a real kernel breaks, with the evidence. */
export interface KnownTask
  extends KnownTaskBreach,
    Pick<TaskPlanted, 'name' | 'sentence' | 'law' | 'scenario' | 'grain'> {
  /** The source that shows it. */
  readonly evidence: string;
  /** Those of the three kernels that do not show it, with multi links of the same design. */
  readonly others: readonly string[];
  /** Those that lack what the scenario sets up, or that the design cannot be built on. */
  readonly lacks?: readonly string[];
  /** Moves to the nearest such breach, for each of the kernels. */
  readonly moves: readonly number[];
}

/** The scenario of a known breach in a kernel, with the multi links of its design. */
export function scenarioOn({ scenario, multiLinks }: KnownTask, kernel: string): Scenario {
  return {
    profile: multiLinks === undefined ? kernel : `${kernel}, multiLinks = ${multiLinks}`,
    ...scenario,
  };
}
