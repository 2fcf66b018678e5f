const CLOCK = new Int32Array(new SharedArrayBuffer(4));

/** Waits, with nothing else done: the default is one look at a file. */
export function pause(milliseconds = 1): void {
  Atomics.wait(CLOCK, 0, 0, milliseconds);
}
