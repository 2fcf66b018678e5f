import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { JobProgress } from '../../counterexamples/answer.ts';
import { item } from '../../model/core/present.ts';
import { giveBack, takeWorker } from '../line/idle-workers.ts';
import type { DesignAnswer, DesignQuestion, FromDesignWorker } from './design-worker.ts';

/** Threads that count the cost of designs, at most: each has the tables of a kernel with all functions, half a gigabyte. */
const WORKERS_MOST = 4;

/** For fewer functions the start of workers takes longer than they save. */
const WORTH_WORKERS = 4000;

/** The number of workers for this many designs and functions; 0: they are not worth their start. */
export function designWorkers(
  designs: number,
  functions: number,
  cores: number = availableParallelism(),
): number {
  const workers = Math.min(WORKERS_MOST, designs, cores);
  return functions < WORTH_WORKERS || workers < 2 ? 0 : workers;
}

/**
 * Counts the cost of designs in workers: they are independent of each other. The answers are in the order of the
 * questions; after a stop, those before the first that is missing.
 */
export async function* costsInWorkers(
  questions: readonly DesignQuestion[],
  workers: number,
): AsyncGenerator<JobProgress, readonly DesignAnswer[], boolean> {
  const pool = new DesignPool(questions, workers);
  try {
    while (pool.isBusy()) {
      await pool.wait();
      if (yield pool.progress) break;
    }
    return pool.answered();
  } finally {
    await pool.close();
  }
}

/** A worker, and the number of its question; undefined: none was left for it. */
interface Asked {
  readonly worker: Worker;
  number: number | undefined;
}

class DesignPool {
  private readonly workers: readonly Asked[];
  private readonly answers = new Map<number, DesignAnswer>();
  private next = 0;
  private failed: { readonly error: unknown } | undefined;
  private changed = () => {};
  progress: JobProgress = { part: 'designs' };

  constructor(
    private readonly questions: readonly DesignQuestion[],
    workers: number,
  ) {
    this.workers = Array.from({ length: workers }, () => this.start());
  }

  private start(): Asked {
    const worker = takeWorker(START);
    const asked: Asked = { worker, number: undefined };
    worker.on('message', (message: FromDesignWorker) => {
      this.note(asked.number ?? -1, message);
      if (message.is === 'over') this.handOut(asked);
      this.changed();
    });
    worker.on('error', (error) => {
      this.failed = { error };
      this.changed();
    });
    this.handOut(asked);
    return asked;
  }

  private handOut(asked: Asked): void {
    const question = this.questions[this.next];
    asked.number = question === undefined ? undefined : this.next++;
    if (question !== undefined) asked.worker.postMessage(question);
  }

  private note(number: number, message: FromDesignWorker): void {
    if (message.is === 'over') this.answers.set(number, message.answer);
    else if (message.is === 'failed') this.failed = message;
    else {
      const { name } = item(this.questions, number).client;
      this.progress = { part: name, done: message.functions, unit: 'function' };
    }
  }

  /** Whether an answer is missing; throws what a worker failed with. */
  isBusy(): boolean {
    if (this.failed !== undefined) throw this.failed.error;
    return this.answers.size < this.questions.length;
  }

  /** Waits for a message from a worker. */
  wait(): Promise<void> {
    for (const { worker } of this.workers) worker.ref();
    return new Promise((resolve) => {
      this.changed = resolve;
    });
  }

  answered(): readonly DesignAnswer[] {
    const missing = this.questions.findIndex((_, number) => !this.answers.has(number));
    const known = missing < 0 ? this.questions : this.questions.slice(0, missing);
    return known.map((_, number) => this.answers.get(number)!);
  }

  /** A worker that is busy or has failed is not reused. */
  async close(): Promise<void> {
    const isAtRest = ({ number }: Asked) => number === undefined && this.failed === undefined;
    for (const asked of this.workers) if (isAtRest(asked)) giveBack(START, asked.worker);
    await Promise.all(this.workers.map((asked) => (isAtRest(asked) ? undefined : asked.worker.terminate())));
  }
}

/** From the sources a worker needs a compiler; compiled it needs nothing. */
const START = new URL(
  import.meta.filename.endsWith('.ts') ? './from-sources.mjs' : './design-worker.js',
  import.meta.url,
);
