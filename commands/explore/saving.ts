import { messageOf } from '../../model/core/message-of.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import type { Pool } from './pool.ts';

/** Seconds between two checkpoints within a scenario. */
const SECONDS = 30;

/** Saves an exploration while it runs: when a scenario ends, and from time to time within one. */
export class Saving {
  /** Why the last checkpoint could not be written; undefined: it was. */
  failure: string | undefined;
  private written = 0;
  private asked = performance.now();

  constructor(
    private readonly file: CheckpointFile | undefined,
    private readonly pool: Pool,
    private readonly seconds = SECONDS,
  ) {}

  /** Saves changes; when it is time, the workers report the state of their searches. */
  look(): void {
    if (this.file === undefined) return;
    if (this.pool.changes > this.written) this.write();
    const now = performance.now();
    if (now - this.asked < this.seconds * 1000) return;
    this.asked = now;
    this.pool.save();
  }

  write(): void {
    this.written = this.pool.changes;
    try {
      this.file?.write(this.pool.saved());
      this.failure = undefined;
    } catch (error) {
      this.failure = messageOf(error);
    }
  }
}
