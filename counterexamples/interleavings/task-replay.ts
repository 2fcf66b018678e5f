import { unreachable } from '../../model/core/unreachable.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { Replayed } from '../trace-file.ts';
import { plantedIn, replayedAs } from '../trace-file.ts';
import { describeTask } from './task-describe.ts';
import type { TaskTrace } from './task-trace.ts';

/** Replays a trace, move by move, without any search. */
export function replaySchedule(trace: TaskTrace, law: TaskLaw): Replayed {
  const { known, found, others } = trace;
  const outcome = describeTask(trace.schedule, law, {
    planted: plantedIn(TASK_PLANTED, trace.planted),
    known,
    found,
    others,
  });
  switch (outcome.is) {
    case 'diverged':
      return { kind: 'diverged', why: outcome.why };
    case 'holds':
      return { kind: 'holds' };
    case 'broken': {
      return replayedAs(trace.report, outcome.counterexample.trace.report);
    }
    default:
      return unreachable(outcome);
  }
}
