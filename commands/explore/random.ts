import type { Job } from '../../counterexamples/answer.ts';
import { randomJob } from './random-answer.ts';
import type { RandomTaskSearch } from './random-search.ts';

/** Draws scenarios and schedules; after this many seconds it stops as after an interrupt. */
export function* startDrawing(search: RandomTaskSearch, seconds = Number.POSITIVE_INFINITY): Job {
  const start = performance.now();
  const job = randomJob(search);
  for (let stop = false; ; ) {
    const step = job.next(stop || performance.now() - start > seconds * 1000);
    if (step.done === true) return step.value;
    stop = yield step.value;
  }
}
