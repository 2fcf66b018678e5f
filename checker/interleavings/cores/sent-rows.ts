/** Rows that are remembered: some megabytes, and found in the cache of a CPU. */
const SLOTS = 1 << 16;

/**
 * Rows of numbers that were sent: of each slot the latest one. It never takes a row for one that was sent unless it was,
 * number by number; of those that were it forgets some.
 */
export class SentRows {
  private readonly rows: Int32Array;

  constructor(private readonly width: number) {
    // No row begins with −1: that is the number of a world.
    this.rows = new Int32Array(SLOTS * width).fill(-1);
  }

  /** Notes a row; answers whether it is known to be sent. */
  note(from: Int32Array, start: number): boolean {
    const { rows, width } = this;
    let hash = 0;
    for (let i = 0; i < width; i++) hash = Math.imul(hash ^ from[start + i]!, 0x9e3779b1) ^ (hash >>> 15);
    const slot = ((hash ^ (hash >>> 16)) & (SLOTS - 1)) * width;
    let isKnown = true;
    for (let i = 0; i < width; i++) {
      const value = from[start + i]!;
      if (rows[slot + i] === value) continue;
      isKnown = false;
      rows[slot + i] = value;
    }
    return isKnown;
  }
}
