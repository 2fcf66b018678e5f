import type { Answer, Job } from '../counterexamples/answer.ts';

/** Drives a job to its end, and gives its answer with the text of its parts; it may be stopped after a number of steps. */
export function answerOf(
  job: Job,
  stopAfter = Number.POSITIVE_INFINITY,
): Answer & { readonly parts: string } {
  let parts = '';
  for (let n = 0, step = job.next(false); ; step = job.next(++n >= stopAfter)) {
    if (step.done === true) return { ...step.value, parts };
    if ('text' in step.value) parts += `${step.value.text}\n`;
  }
}
