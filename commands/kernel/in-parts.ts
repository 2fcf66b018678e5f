import type { JobProgress } from '../../counterexamples/answer.ts';

/** The steps of a build or a boot, each shown as it begins; the result is the last one's. */
export function* inParts<T>(steps: Generator<string, T>): Generator<JobProgress, T, boolean> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    yield { part: step.value };
  }
}
