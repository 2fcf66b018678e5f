import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { ALL_TASK_LAWS, TASK_LAWS } from '../../properties/task-laws.ts';

/** The laws that a scenario of somebody's own is asked: those of tracepoints where there are some. */
export function lawsFor({ tracepoints = [] }: Scenario): readonly TaskLaw[] {
  return tracepoints.length > 0 ? ALL_TASK_LAWS : TASK_LAWS;
}
