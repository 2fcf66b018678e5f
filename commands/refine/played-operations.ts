import { createHash } from 'node:crypto';

/** Digits of a digest that are kept: two of a million operations have the same once in ten billion runs. */
const DIGITS = 12;

/** The operations that a comparison has played, each once, wherever it was. */
export class PlayedOperations {
  private readonly all = new Set<string>();
  private latest: string[] = [];

  /** One that was played here. */
  add(operation: string): void {
    const digest = createHash('sha256').update(operation).digest('base64').slice(0, DIGITS);
    if (this.all.has(digest)) return;
    this.all.add(digest);
    this.latest.push(digest);
  }

  /** Those that were played elsewhere, as takeNew() has them. */
  addKnown(operations: readonly string[]): void {
    for (const digest of operations) this.all.add(digest);
  }

  /** Those that were played here since the last call. */
  takeNew(): string[] {
    const { latest } = this;
    this.latest = [];
    return latest;
  }

  get size(): number {
    return this.all.size;
  }
}
