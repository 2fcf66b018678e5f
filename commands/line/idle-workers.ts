import type { ResourceLimits } from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { loadedModules } from './own-modules.ts';

/** Workers that have done what they were asked, by the file that they run: starting one takes a second. */
const IDLE = new Map<string, Worker[]>();

/**
 * A worker that runs a file; one that is idle, if there is one. It does not keep the process alive. It is given the modules of
 * the user's that it has to load first.
 */
export function takeWorker(start: URL, resourceLimits: ResourceLimits = {}): Worker {
  const worker =
    IDLE.get(start.href)?.pop() ??
    new Worker(start, { execArgv: [], resourceLimits, workerData: [...loadedModules()] });
  worker.unref();
  return worker;
}

/** Has a worker wait for the next who takes one. It has to be at rest: nothing that it was asked is under way. */
export function giveBack(start: URL, worker: Worker): void {
  // By name: it has listeners of its own, without which it is silent.
  for (const event of ['message', 'error']) worker.removeAllListeners(event);
  worker.unref();
  IDLE.set(start.href, [...(IDLE.get(start.href) ?? []), worker]);
}
