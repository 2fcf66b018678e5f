import { availableParallelism } from 'node:os';
import type { ResourceLimits } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { loadedModules } from './own-modules.ts';

/** Idle workers, by the file that they run: starting one takes a second. */
const IDLE = new Map<string, Worker[]>();

/** Where a worker of the sources starts. */
let startOf = (fromSources: URL): URL => fromSources;

/** Tests have a bundle of the same sources: workers start from it in a fifth of the time. */
export function startWorkersFrom(bundled: (fromSources: URL) => URL): void {
  startOf = bundled;
}

/**
 * A worker that runs a file; an idle one, if there is one. It does not keep the process alive. It loads the user's
 * modules first.
 */
export function takeWorker(start: URL, resourceLimits: ResourceLimits = {}): Worker {
  const worker = IDLE.get(start.href)?.pop() ?? startWorker(start, resourceLimits);
  worker.unref();
  return worker;
}

/** Starts workers before they are taken, one for each core at most: they load their modules while the process loads its own. */
export function prepareWorkers(start: URL, count: number): void {
  const idle = IDLE.get(start.href)?.length ?? 0;
  const most = Math.min(count, availableParallelism());
  for (let i = idle; i < most; i++) prepare(start);
}

function prepare(start: URL): void {
  const worker = startWorker(start, {});
  giveBack(start, worker);
  // A caller that needs one that has failed starts another, and gets its error.
  worker.on('error', () => {
    const others = (IDLE.get(start.href) ?? []).filter((idle) => idle !== worker);
    IDLE.set(start.href, others);
  });
}

function startWorker(start: URL, resourceLimits: ResourceLimits): Worker {
  const own = loadedModules();
  // Modules of a user import those of the sources.
  const from = own.length === 0 ? startOf(start) : start;
  return new Worker(from, { execArgv: [], resourceLimits, workerData: [...own] });
}

/** Keeps a worker for the next caller. It must be idle: no request may be in progress. */
export function giveBack(start: URL, worker: Worker): void {
  // By name: the worker's own listeners stay, without which it is silent.
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  worker.unref();
  IDLE.set(start.href, [...(IDLE.get(start.href) ?? []), worker]);
}
