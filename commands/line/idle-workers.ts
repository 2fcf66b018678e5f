import type { ResourceLimits } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { loadedModules } from './own-modules.ts';

/** Idle workers, by the file that they run: starting one takes a second. */
const IDLE = new Map<string, Worker[]>();

/**
 * A worker that runs a file; an idle one, if there is one. It does not keep the process alive. It loads the user's
 * modules first.
 */
export function takeWorker(start: URL, resourceLimits: ResourceLimits = {}): Worker {
  const worker =
    IDLE.get(start.href)?.pop() ??
    new Worker(start, { execArgv: [], resourceLimits, workerData: [...loadedModules()] });
  worker.unref();
  return worker;
}

/** Keeps a worker for the next caller. It must be idle: no request may be in progress. */
export function giveBack(start: URL, worker: Worker): void {
  // By name: the worker's own listeners stay, without which it is silent.
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
  worker.unref();
  IDLE.set(start.href, [...(IDLE.get(start.href) ?? []), worker]);
}
