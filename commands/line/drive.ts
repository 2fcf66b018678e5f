import { setImmediate } from 'node:timers/promises';
import type { Answer, AnswerPart, Exit, Job, JobProgress } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { WaitingJob } from '../explore/explore.ts';

/** The result of a job. */
export interface Driven {
  readonly answer: Answer;
  readonly exit: Exit;
  /** The signal that stopped it, if any. */
  readonly signal: NodeJS.Signals | undefined;
}

/** How a running job shows its progress. */
export interface JobView {
  /** Undefined: nothing is under way that could be shown. */
  readonly status: (progress: JobProgress | undefined) => void;
  readonly part: (part: AnswerPart) => void;
}

/** The signals that stop a job, with their exit codes. SIGPIPE means that the reader has gone. */
const SIGNALS = {
  SIGHUP: EXIT.HUNG_UP,
  SIGINT: EXIT.INTERRUPTED,
  SIGPIPE: EXIT.UNREAD,
  SIGTERM: EXIT.TERMINATED,
} as const satisfies Partial<Record<NodeJS.Signals, Exit>>;
type Stop = keyof typeof SIGNALS;
const STOPS = Object.keys(SIGNALS) as Stop[];

/** Runs a job to its end, or to the next step after a signal. A second signal ends the process. */
export async function drive(job: Job | WaitingJob, { status, part }: JobView): Promise<Driven> {
  let signal: Stop | undefined;
  const listeners = STOPS.map((name) => {
    const stop = () => {
      signal ??= name;
    };
    process.once(name, stop);
    return () => process.off(name, stop);
  });
  try {
    for (;;) {
      const step = await job.next(signal !== undefined);
      if (step.done === true) {
        status(undefined);
        const answer = step.value;
        return { answer, exit: signal === undefined ? answer.exit : SIGNALS[signal], signal };
      }
      if ('part' in step.value) status(step.value);
      else {
        status(undefined);
        part(step.value);
      }
      await setImmediate();
    }
  } finally {
    status(undefined);
    for (const leave of listeners) leave();
  }
}
