import type { Worker } from 'node:worker_threads';
import type { AskedPart, Share } from '../../checker/share.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { EXPLORE_WORKER } from '../explore/pool.ts';
import { takeWorker } from '../line/idle-workers.ts';
import type { SearchOptions } from '../line/options.ts';

/** A message to the worker. */
export type ToAhead =
  | { readonly do: 'ahead'; readonly options: SearchOptions }
  /** The run itself works on this part now. */
  | { readonly do: 'reached'; readonly part: string };

/** The result of a part, from the worker. */
export interface FromAhead {
  readonly part: string;
  readonly result: unknown;
  /** For coverage: 1 for each instruction of the model that the part has executed. */
  readonly executed: Uint8Array;
}

/**
 * The parts of a run that a worker works on, from the last one back, when it has nothing else to do, until it meets the
 * run, which takes them in order. A part has the same result wherever it is worked on; where both are at it, it is
 * worked on twice.
 */
export class Ahead {
  private readonly done = new Map<string, FromAhead>();
  private worker: Worker | undefined;
  private isEnded = false;

  constructor(private readonly options: SearchOptions) {}

  readonly share: Share = {
    ask: (part) => this.ask(part),
    begin: () => {},
    keep: () => {},
  };

  private ask(part: string): AskedPart {
    const done = this.done.get(part);
    if (done === undefined) {
      this.tell({ do: 'reached', part });
      return { is: 'here' };
    }
    noteExecuted(KERNEL_PROGRAM, done.executed);
    return { is: 'known', result: done.result };
  }

  /** Whether a part was worked on; asking for it says that the run has come to it. */
  isDone(part: string): boolean {
    return this.done.has(part);
  }

  /** A worker has nothing else to do. */
  begin(): void {
    if (this.worker !== undefined || this.isEnded) return;
    this.worker = takeWorker(EXPLORE_WORKER);
    this.worker.on('message', (done: FromAhead) => this.done.set(done.part, done));
    // A part that cannot be worked on ahead meets the same error in the run.
    this.worker.on('error', () => {});
    this.tell({ do: 'ahead', options: this.options });
  }

  private tell(message: ToAhead): void {
    this.worker?.postMessage(message);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.worker?.terminate();
  }
}
