import { Worker } from 'node:worker_threads';

/** In a thread of its own, which goes on when the test does not give the CPU back. */
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

/** Is told which test is under way, or '' when none is; one that takes longer than that ends the process. */
export function watchdog(seconds: number): (test: string) => void {
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: seconds });
  worker.unref();
  return (test) => worker.postMessage(test);
}
