import { messageOf } from '../../model/core/message-of.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import type { Pool } from './pool.ts';

/** Seconds between two checkpoints within a scenario. */
const SECONDS = 30;

/** Writing takes at most a tenth of the time: unfinished searches are large, and many scenarios end beside them. */
const SHARE = 10;

/** Saves an exploration while it runs: when a scenario ends, and from time to time within one. */
export class Saving {
  /** Why the last checkpoint could not be written; undefined: it was. */
  failure: string | undefined;
  private written = 0;
  private asked = performance.now();
  /** When changes are written next, at the earliest. */
  private due = 0;

  constructor(
    private readonly file: CheckpointFile | undefined,
    private readonly pool: Pool,
    private readonly seconds = SECONDS,
  ) {}

  /** Saves changes; when it is time, the workers report the state of their searches. */
  look(): void {
    if (this.file === undefined) return;
    const now = performance.now();
    if (this.pool.changes > this.written && now >= this.due) this.write();
    if (now - this.asked < this.seconds * 1000) return;
    this.asked = now;
    this.pool.save();
  }

  write(): void {
    const start = performance.now();
    this.written = this.pool.changes;
    try {
      this.file?.write(this.pool.saved());
      this.failure = undefined;
    } catch (error) {
      this.failure = messageOf(error);
    }
    this.due = start + SHARE * (performance.now() - start);
  }
}
