const CLOCK = new Int32Array(new SharedArrayBuffer(4));

/** Waits, and does nothing else meanwhile. */
export function pause(milliseconds = 1): void {
  Atomics.wait(CLOCK, 0, 0, milliseconds);
}
