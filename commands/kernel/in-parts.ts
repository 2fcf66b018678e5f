import type { JobProgress } from '../../counterexamples/answer.ts';

/** The steps of a build or a boot, each shown as it begins; the result is the last one's. A job that is stopped ends them. */
export function* inParts<T>(steps: Generator<string, T>): Generator<JobProgress, T, boolean> {
  let isOver = false;
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      isOver = step.done === true;
      if (step.done === true) return step.value;
      yield { part: step.value };
    }
  } finally {
    if (!isOver) steps.return(undefined as T);
  }
}
