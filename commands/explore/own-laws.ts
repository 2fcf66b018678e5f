import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { ALL_TASK_LAWS, TASK_LAWS } from '../../properties/task-laws.ts';

/** The laws checked in scenarios: those of tracepoints if one of them has some. */
export function lawsFor(...scenarios: readonly Scenario[]): readonly TaskLaw[] {
  return scenarios.some(({ tracepoints = [] }) => tracepoints.length > 0) ? ALL_TASK_LAWS : TASK_LAWS;
}
