import { Worker } from 'node:worker_threads';

/** In its own thread, which runs even when the test does not yield the CPU. */
const WATCH = `
const { writeSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
let timer;
parentPort.on('message', (test) => {
  clearTimeout(timer);
  if (test === '') return;
  timer = setTimeout(() => {
    writeSync(2, 'after ' + workerData + ' seconds there is no end of: ' + test + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }, 1000 * workerData);
});
`;

/**
 * Receives the name of the test in progress, or '' when there is none; one that takes longer than that ends the
 * process.
 */
export function watchdog(seconds: number): (test: string) => void {
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: seconds });
  worker.unref();
  return (test) => worker.postMessage(test);
}
