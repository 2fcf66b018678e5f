import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { ALL_TASK_LAWS, TASK_LAWS } from '../../properties/task-laws.ts';

/** The laws checked in a user's scenario: those of tracepoints if it has some. */
export function lawsFor({ tracepoints = [] }: Scenario): readonly TaskLaw[] {
  return tracepoints.length > 0 ? ALL_TASK_LAWS : TASK_LAWS;
}
