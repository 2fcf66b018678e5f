import type { Worker } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import type { Checkpoint } from '../../checker/interleavings/checkpoint.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { giveBack, prepareWorkers, takeWorker } from '../line/idle-workers.ts';
import type { SavedExploration } from './checkpoint-file.ts';
import type { ScenarioResult } from './exploration.ts';
import { newBreach } from './exploration.ts';
import { EXPLORE_WORKER } from './explore-start.ts';
import type { FromWorker, ToWorker } from './explore-worker.ts';
import type { ScenarioQuestion } from './scenario-search.ts';
import type { SharedScenarios } from './shared-scenarios.ts';

/** A search that has not ended. */
export interface Left {
  readonly number: number;
  readonly saved: Checkpoint;
}

/** The progress of the workers. */
export interface PoolProgress {
  /** The scenario in progress with the smallest number, and states and bytes of all in progress. */
  readonly number: number;
  readonly states: number;
  readonly bytes: number;
}

/** A worker, and the number of the scenario that it searches, or whose search it helps. */
interface Busy {
  readonly worker: Worker;
  number: number | undefined;
  helps: number | undefined;
  states: number;
  bytes: number;
}

/** What a pool begins with. */
export interface PoolWork {
  /** The results that are known. */
  readonly done: ReadonlyMap<number, ScenarioResult>;
  readonly workers: number;
  readonly shared: SharedScenarios;
}

/**
 * Searches scenarios in workers. They are handed out in order; once one shows a new breach, those after it are
 * cancelled, so that the first result does not depend on the number of workers. A worker for which no scenario is left
 * helps a search in progress.
 */
export class Pool {
  readonly results = new Map<number, ScenarioResult>();
  /** The last known state of each search that has begun and not ended. */
  private readonly begun = new Map<number, Checkpoint>();
  /** How often what a checkpoint has was changed. */
  changes = 0;
  private readonly busy: Busy[];
  private readonly shared: SharedScenarios;
  private next = 0;
  private stops = false;
  private failure: unknown;
  private changed = () => {};
  /** Workers at most. */
  private most: number;

  constructor(
    private readonly questions: readonly ScenarioQuestion[],
    { done, workers, shared }: PoolWork,
  ) {
    this.most = workers;
    this.shared = shared;
    for (const [number, result] of done) this.results.set(number, result);
    for (const { number, saved } of questions) if (saved !== undefined) this.begun.set(number, saved);
    const end = this.end();
    const open = questions.filter(({ number }) => number < end && !done.has(number)).length;
    this.busy = Array.from({ length: Math.min(workers, open) }, () => this.start());
    for (const busy of this.busy) this.handOut(busy);
    // Those that will help start now, not when a search is large enough.
    prepareWorkers(EXPLORE_WORKER, workers - this.busy.length);
  }

  private start(): Busy {
    const worker = takeWorker(EXPLORE_WORKER);
    const busy: Busy = { worker, number: undefined, helps: undefined, states: 0, bytes: 0 };
    worker.on('message', (message: FromWorker) => this.told(busy, message));
    const fail = (error: unknown) => this.told(busy, { is: 'failed', number: busy.number ?? -1, error });
    worker.on('error', fail);
    worker.on('exit', (code) =>
      fail(new Error(`a thread of the exploration has ended, with exit code ${code}`)),
    );
    return busy;
  }

  /** Another worker takes part. */
  widen(): void {
    this.most++;
    if (!this.stops && this.next < this.end()) this.handOut(this.another());
  }

  private another(): Busy {
    const busy = this.start();
    this.busy.push(busy);
    return busy;
  }

  /** A search is large enough to be shared with a worker that has no scenario of its own. */
  private share(number: number): void {
    const question = this.questions[number]!;
    if (this.stops || this.next < this.end() || number >= this.end() || question.preemptions !== undefined)
      return;
    const searches = this.busy.find((busy) => busy.number === number);
    const idle = this.busy.find((busy) => busy.number === undefined && busy.helps === undefined);
    if (searches === undefined || (idle === undefined && this.busy.length >= this.most)) return;
    const helper = idle ?? this.another();
    helper.helps = number;
    const { port1, port2 } = new MessageChannel();
    const bell = new Int32Array(new SharedArrayBuffer(4));
    send(helper, { do: 'help', question: { ...question, saved: undefined }, line: { port: port1, bell } });
    send(searches, { do: 'be helped', number, line: { port: port2, bell } });
  }

  private handOut(busy: Busy): void {
    while (this.results.has(this.next)) this.next++;
    const question = this.questions[this.next];
    const wanted = question !== undefined && !this.stops && this.next < this.end();
    busy.number = wanted ? this.next++ : undefined;
    busy.states = 0;
    busy.bytes = 0;
    if (wanted) send(busy, { do: 'search', question });
  }

  private told(busy: Busy, message: FromWorker): void {
    if (message.is === 'on') {
      busy.states = message.states;
      busy.bytes = message.bytes;
      this.share(message.number);
    } else {
      this.note(message);
      this.changes++;
      if (message.is !== 'saved') this.release(busy, message.number);
    }
    this.changed();
  }

  /** The search of a scenario is over: its worker and those that have helped are free. */
  private release(busy: Busy, number: number): void {
    for (const other of this.busy) if (other.helps === number) other.helps = undefined;
    this.handOut(busy);
  }

  private note(message: Exclude<FromWorker, { readonly is: 'on' }>): void {
    switch (message.is) {
      case 'failed':
        this.failure ??= message.error;
        return;
      case 'saved':
        this.begun.set(message.number, message.saved);
        return;
      case 'left':
        this.results.set(message.number, message.result);
        this.begun.set(message.number, message.saved);
        return;
      case 'over':
        this.results.set(message.number, message.result);
        this.begun.delete(message.number);
        this.shared.keep(message);
        noteExecuted(KERNEL_PROGRAM, message.executed);
        return;
      default:
        return unreachable(message);
    }
  }

  /** The results so far, and the last known state of each search that has begun and not ended. */
  saved(): SavedExploration {
    return {
      done: new Map([...this.results].filter(([, { end }]) => end !== 'stopped')),
      left: [...this.begun].map(([number, saved]) => ({ number, saved })),
    };
  }

  /** Asks for the state of the searches in progress. */
  save(): void {
    for (const busy of this.busy) send(busy, { do: 'save' });
  }

  /** Scenarios that count: up to the first that shows a new breach. */
  end(): number {
    const broken = [...this.results].filter(([, result]) => newBreach(result) !== undefined);
    return Math.min(this.questions.length, ...broken.map(([number]) => number + 1));
  }

  /** Whether a scenario that counts is in progress; throws what a worker failed with. */
  isBusy(): boolean {
    if (this.failure !== undefined) throw this.failure;
    const end = this.end();
    return this.busy.some(({ number }) => number !== undefined && number < end);
  }

  progress(): PoolProgress {
    const numbers = this.busy.flatMap(({ number }) => number ?? []);
    return {
      number: Math.min(this.questions.length - 1, ...numbers),
      states: this.busy.reduce((sum, { states }) => sum + states, 0),
      bytes: this.busy.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Waits for a message from a worker. */
  wait(): Promise<void> {
    for (const { worker } of this.busy) worker.ref();
    return new Promise((resolve) => {
      this.changed = resolve;
    });
  }

  /** Stops the searches in progress, and starts no others. */
  stop(): void {
    this.stops = true;
    for (const busy of this.busy) send(busy, { do: 'stop' });
  }

  /** A worker that was stopped, is busy or has failed is not reused. */
  async close(): Promise<void> {
    const isAtRest = ({ number }: Busy) => number === undefined && !this.stops && this.failure === undefined;
    for (const busy of this.busy) if (isAtRest(busy)) giveBack(EXPLORE_WORKER, busy.worker);
    await Promise.all(this.busy.map((busy) => (isAtRest(busy) ? undefined : busy.worker.terminate())));
  }
}

/** Sends a message, and with it the port of a line. */
function send({ worker }: Busy, message: ToWorker): void {
  worker.postMessage(message, 'line' in message ? [message.line.port] : []);
}
