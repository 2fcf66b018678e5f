/** States that are remembered: two megabytes. */
const SLOTS = 1 << 18;

/**
 * States that were sent, by their halves: of each slot the latest one. It never takes a state for one that was sent
 * unless it was; of those that were it forgets some.
 */
export class SentHalves {
  // No half is −1.
  private readonly halves = new Int32Array(2 * SLOTS).fill(-1);

  /** Notes a state; answers whether it is known to be sent. */
  note(left: number, right: number): boolean {
    const { halves } = this;
    const hash = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
    const slot = 2 * ((hash ^ (hash >>> 15)) & (SLOTS - 1));
    if (halves[slot] === left && halves[slot + 1] === right) return true;
    halves[slot] = left;
    halves[slot + 1] = right;
    return false;
  }
}
