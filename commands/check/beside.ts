import type { Answer, AnswerPart, JobProgress } from '../../counterexamples/answer.ts';
import type { BesideJob } from '../explore/explore.ts';

/** A job that runs concurrently with others. */
export class Beside {
  /** Its result. */
  answer: Answer | undefined;
  /** Its progress. */
  progress: JobProgress | undefined;
  private failure: { readonly error: unknown } | undefined;
  private stops = false;
  private changed = () => {};

  constructor(private readonly own: BesideJob) {
    void this.goOn();
  }

  /** Throws the error that it failed with. */
  requireAlive(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** Tells it to stop early. */
  stop(): void {
    this.stops = true;
  }

  /** It may use the CPU of the others, which are over. */
  widen(): void {
    if (this.answer === undefined) this.own.widen?.();
  }

  /** Waits until it has an update. */
  async wait(): Promise<void> {
    if (this.answer !== undefined || this.failure !== undefined) return;
    await new Promise<void>((resolve) => {
      this.changed = resolve;
    });
  }

  /** Ends it at once: its result is not needed any more. */
  async end(): Promise<void> {
    if (this.answer === undefined) await this.own.close();
  }

  private async goOn(): Promise<void> {
    try {
      while (this.answer === undefined) this.take(await this.own.job.next(this.stops));
    } catch (error) {
      this.failure = { error };
    }
    this.changed();
  }

  private take({ done, value }: IteratorResult<JobProgress | AnswerPart, Answer>): void {
    if (done === true) this.answer = value;
    else if ('part' in value) this.progress = value;
    else throw new Error('a job beside others tells its parts at its end');
    this.changed();
  }
}
