import { InputError } from '../../model/core/input-error.ts';
import { TASK_PLANTED } from '../../properties/planted/task.ts';
import type { TaskPlanted } from '../../properties/planted/task-planted.ts';
import type { TaskLaw } from '../../properties/task/task-law.ts';
import type { Replayed } from '../trace-file.ts';
import { describeTask } from './task-describe.ts';
import type { TaskTrace } from './task-trace.ts';

/** Does what a trace says once more, move by move, without any search. */
export function replaySchedule(trace: TaskTrace, law: TaskLaw): Replayed {
  const { known, found } = trace;
  const outcome = describeTask(trace.schedule, law, { planted: plantedOf(trace), known, found });
  switch (outcome.is) {
    case 'diverged':
      return { kind: 'diverged', why: outcome.why };
    case 'holds':
      return { kind: 'holds' };
    case 'broken': {
      const { report } = outcome.counterexample.trace;
      return { kind: report === trace.report ? 'same' : 'report changed', report };
    }
  }
}

function plantedOf({ planted }: TaskTrace): TaskPlanted | undefined {
  if (planted === undefined) return undefined;
  const bug = TASK_PLANTED.find(({ name }) => name === planted);
  if (bug === undefined)
    throw new InputError(
      `there is no planted bug ${planted}; there are ${TASK_PLANTED.map(({ name }) => name).join(', ')}`,
    );
  return bug;
}
