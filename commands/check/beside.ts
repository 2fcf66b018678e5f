import type { Answer, AnswerPart, JobProgress } from '../../counterexamples/answer.ts';
import type { BesideJob } from '../explore/explore.ts';

/** A job that goes on by itself while others are worked on. */
export class Beside {
  /** What it has come to. */
  answer: Answer | undefined;
  /** How far it has got. */
  progress: JobProgress | undefined;
  private failure: { readonly error: unknown } | undefined;
  private stops = false;
  private changed = () => {};

  constructor(private readonly own: BesideJob) {
    void this.goOn();
  }

  /** Throws what it has failed with. */
  requireAlive(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** It is told to come to an end. */
  stop(): void {
    this.stops = true;
  }

  /** Waits until it has something to say. */
  async wait(): Promise<void> {
    if (this.answer !== undefined || this.failure !== undefined) return;
    await new Promise<void>((resolve) => {
      this.changed = resolve;
    });
  }

  /** Nobody waits for it any more: whatever it is doing, it is ended. */
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
