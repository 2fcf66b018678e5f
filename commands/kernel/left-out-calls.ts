/** The drawn calls that the recorder cannot make, counted by why. */
export class LeftOutCalls {
  private readonly counts = new Map<string, number>();

  add(reasons: readonly string[]): void {
    for (const why of reasons) this.counts.set(why, (this.counts.get(why) ?? 0) + 1);
  }

  /** Each reason with the number of calls, the most frequent first. */
  get sorted(): readonly (readonly [why: string, calls: number])[] {
    return [...this.counts].sort(([, a], [, b]) => b - a);
  }

  /** In the order in which they were met. */
  json(): readonly { readonly why: string; readonly calls: number }[] {
    return [...this.counts].map(([why, calls]) => ({ why, calls }));
  }
}
