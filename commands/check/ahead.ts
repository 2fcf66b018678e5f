import type { Worker } from 'node:worker_threads';
import type { AskedPart, Share } from '../../checker/share.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { EXPLORE_WORKER } from '../explore/explore-start.ts';
import { takeWorker } from '../line/idle-workers.ts';
import type { SearchOptions } from '../line/options.ts';

/** A message to the worker. */
export type ToAhead =
  | { readonly do: 'ahead'; readonly options: SearchOptions; readonly turn: Turn }
  /** The run itself works on this part now. */
  | { readonly do: 'reached'; readonly part: string };

/** The parts of one worker among `of`: the `nth` from the end, counted from 0, and every `of`-th before it. */
export interface Turn {
  readonly nth: number;
  readonly of: number;
}

/** The result of a part, from the worker. */
export interface FromAhead {
  readonly part: string;
  readonly result: unknown;
  /** For coverage: 1 for each instruction of the model that the part has executed. */
  readonly executed: Uint8Array;
}

/**
 * The parts of a run that workers take turns at, from the last one back, when they have nothing else to do, until they meet
 * the run, which takes them in order. A part has the same result wherever it is worked on; where both are at it, it is
 * worked on twice.
 */
export class Ahead {
  private readonly done = new Map<string, FromAhead>();
  private workers: readonly Worker[] | undefined;
  private isEnded = false;

  constructor(
    private readonly options: SearchOptions,
    private readonly threads: number,
  ) {}

  readonly share: Share = {
    ask: (part) => this.ask(part),
    begin: () => {},
    keep: () => {},
  };

  private ask(part: string): AskedPart {
    const done = this.done.get(part);
    if (done === undefined) {
      for (const worker of this.workers ?? []) send(worker, { do: 'reached', part });
      return { is: 'here' };
    }
    noteExecuted(KERNEL_PROGRAM, done.executed);
    return { is: 'known', result: done.result };
  }

  /** Whether a part was worked on; asking for it says that the run has come to it. */
  isDone(part: string): boolean {
    return this.done.has(part);
  }

  /** The workers have nothing else to do. */
  begin(): void {
    if (this.isEnded) return;
    this.workers ??= Array.from({ length: this.threads }, (_, nth) => this.start({ nth, of: this.threads }));
  }

  private start(turn: Turn): Worker {
    const worker = takeWorker(EXPLORE_WORKER);
    worker.on('message', (done: FromAhead) => this.done.set(done.part, done));
    // A part that cannot be worked on ahead meets the same error in the run.
    worker.on('error', () => {});
    send(worker, { do: 'ahead', options: this.options, turn });
    return worker;
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await Promise.all(this.workers?.map((worker) => worker.terminate()) ?? []);
  }
}

function send(worker: Worker, message: ToAhead): void {
  worker.postMessage(message);
}
