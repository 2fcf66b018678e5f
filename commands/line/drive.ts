import { setImmediate } from 'node:timers/promises';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import type { WaitingJob } from '../explore/explore.ts';

/** What a job has come to, and whether it was stopped before its end. */
export interface Driven {
  readonly answer: Answer;
  readonly interrupted: boolean;
}

/** Runs a job to its end, or to the next step after an interrupt. */
export async function drive(job: Job | WaitingJob, status: (text: string) => void): Promise<Driven> {
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt);
  try {
    for (;;) {
      const step = await job.next(interrupted);
      if (step.done === true) {
        status('');
        return { answer: step.value, interrupted };
      }
      status(step.value);
      await setImmediate();
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}
