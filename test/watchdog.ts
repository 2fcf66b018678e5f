import { Worker } from 'node:worker_threads';

/** The name of a test at most, in bytes; a longer one is cut. */
const NAME_BYTES = 4096;

/** How often the thread looks within the time that a test may take. */
const LOOKS = 20;

/*
 * In its own thread, which runs even when the test does not yield the CPU. It reads the number of tests so far and the name
 * of the last from shared memory: a message for each of thousands of tests would wake it each time.
 */
const WATCH = `
const { writeSync } = require('node:fs');
const { seconds, numbers, name } = require('node:worker_threads').workerData;
let last = 0;
let since = 0;
setInterval(() => {
  const number = Atomics.load(numbers, 0);
  const now = performance.now();
  if (number !== last) since = now;
  last = number;
  const bytes = Atomics.load(numbers, 1);
  if (bytes === 0 || now - since < 1000 * seconds) return;
  writeSync(2, 'after ' + seconds + ' seconds there is no end of: ' + Buffer.from(name.slice(0, bytes)) + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, (1000 * seconds) / ${LOOKS});
`;

/**
 * Receives the name of the test in progress, or '' when there is none; one that takes longer than that ends the
 * process.
 */
export function watchdog(seconds: number): (test: string) => void {
  const numbers = new Int32Array(new SharedArrayBuffer(8));
  const name = new Uint8Array(new SharedArrayBuffer(NAME_BYTES));
  const workerData = { seconds, numbers, name };
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData });
  worker.unref();
  const encoder = new TextEncoder();
  return (test) => {
    Atomics.store(numbers, 1, encoder.encodeInto(test, name).written);
    Atomics.add(numbers, 0, 1);
  };
}
