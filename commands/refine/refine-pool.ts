import type { Worker } from 'node:worker_threads';
import type { Ask } from '../../checker/refinement/behaviour.ts';
import { isFirst } from '../../checker/refinement/behaviour.ts';
import { nameOf } from '../../checker/refinement/behaviours.ts';
import type { ToldLetter } from '../../checker/refinement/player.ts';
import { item, present } from '../../model/core/present.ts';
import { giveBack, takeWorker } from '../line/idle-workers.ts';
import type { PlayedAsk, ToPlay } from './refine-worker.ts';

/** The answers of workers to a request. */
export interface Answered {
  readonly ask: Ask;
  readonly told: readonly ToldLetter[];
}

/** A worker, the kernel that it plays in, and the number of its requests. */
interface Busy {
  readonly worker: Worker;
  kind: string;
  /** Kernels that it has played in, and has cached. */
  readonly kinds: Set<string>;
  asks: number;
}

/** Each has the next one queued when it finishes one. */
const ASKS_AT_ONCE = 2;

/**
 * Plays operations in workers. A worker stays with a kernel as long as there are requests for it, and then switches
 * to another one. Answers are handed on in the order of the requests.
 */
export class RefinePool {
  private readonly busy: readonly Busy[];
  private asks: readonly Ask[] = [];
  /** Requests that are not played yet, by kernel; answers, by number. */
  private readonly queues = new Map<string, number[]>();
  private readonly told = new Map<number, readonly ToldLetter[]>();
  private next = 0;
  private failure: unknown;
  private changed = () => {};

  constructor(workers: number) {
    this.busy = Array.from({ length: workers }, () => this.start());
  }

  /** Plays requests; yields answers from time to time, and receives whether optional work may stop. */
  async *play(asks: readonly Ask[]): AsyncGenerator<readonly Answered[], void, boolean> {
    this.asks = asks;
    this.next = 0;
    asks.forEach((ask, number) => {
      const kind = nameOf(ask.of);
      const queue = this.queues.get(kind) ?? [];
      queue.push(number);
      this.queues.set(kind, queue);
    });
    while (this.next < this.asks.length) {
      for (const busy of this.busy) this.handOut(busy);
      if (!this.told.has(this.next)) await this.wait();
      if (this.failure !== undefined) throw this.failure;
      if (yield this.inOrder()) this.leave();
    }
  }

  async close(): Promise<void> {
    const isAtRest = ({ asks }: Busy) => asks === 0 && this.failure === undefined;
    for (const busy of this.busy) if (isAtRest(busy)) giveBack(START, busy.worker);
    await Promise.all(this.busy.map((busy) => (isAtRest(busy) ? undefined : busy.worker.terminate())));
  }

  private start(): Busy {
    const worker = takeWorker(START, LIMITS);
    const busy: Busy = { worker, kind: '', kinds: new Set(), asks: 0 };
    worker.on('message', (played: PlayedAsk) => {
      busy.asks--;
      if ('told' in played) this.told.set(played.number, played.told);
      else this.failure = played.error;
      this.handOut(busy);
      this.changed();
    });
    worker.on('error', (error) => {
      this.failure = error;
      this.changed();
    });
    return busy;
  }

  private handOut(busy: Busy): void {
    while (busy.asks < ASKS_AT_ONCE) {
      if (!this.queues.has(busy.kind)) busy.kind = this.nextKind(busy);
      const queue = this.queues.get(busy.kind);
      const number = queue?.shift();
      if (queue?.length === 0) this.queues.delete(busy.kind);
      if (number === undefined) return;
      const { of, history, letters, areLast } = item(this.asks, number);
      const { profile, functions } = of;
      busy.asks++;
      busy.worker.postMessage({
        number,
        of: { profile, functions },
        history,
        letters,
        areLast,
      } satisfies ToPlay);
    }
  }

  /** Among kernels in which no other worker plays, one that it has cached; else the one with the most requests. */
  private nextKind({ kinds, kind: last }: Busy): string {
    const taken = new Set(this.busy.map(({ kind }) => kind).filter((kind) => kind !== last));
    const weight = ([kind, queue]: [string, number[]]) =>
      queue.length + (kinds.has(kind) ? 1e6 : 0) - (taken.has(kind) ? 1e9 : 0);
    const [most] = [...this.queues].sort((a, b) => weight(b) - weight(a));
    if (most === undefined) return '';
    kinds.add(most[0]);
    return most[0];
  }

  private inOrder(): Answered[] {
    const answered: Answered[] = [];
    for (let told = this.told.get(this.next); told !== undefined; told = this.told.get(this.next)) {
      answered.push({ ask: item(this.asks, this.next), told });
      this.told.delete(this.next++);
    }
    return answered;
  }

  /** From now on only requests that must be answered are played. */
  private leave(): void {
    for (const [kind, queue] of this.queues) {
      for (const number of queue) if (!isFirst(item(this.asks, number))) this.told.set(number, []);
      this.queues.set(
        kind,
        queue.filter((number) => isFirst(item(this.asks, number))),
      );
      if (present(this.queues.get(kind), kind).length === 0) this.queues.delete(kind);
    }
  }

  private wait(): Promise<void> {
    for (const { worker } of this.busy) worker.ref();
    return new Promise((resolve) => {
      this.changed = resolve;
    });
  }
}

/** From the sources a worker needs a compiler; compiled it needs nothing. */
const START = new URL(
  import.meta.filename.endsWith('.ts') ? './from-sources.mjs' : './refine-worker.js',
  import.meta.url,
);
const LIMITS = { maxYoungGenerationSizeMb: 128 };
