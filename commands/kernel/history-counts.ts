import type { ComparedOutcome } from './history-outcome.ts';
import { LeftOutCalls } from './left-out-calls.ts';

/** Counts of a run: they follow from its outcomes in their order, wherever each was compared. */
export class HistoryCounts {
  histories = 0;
  /** Those of which nothing could be said, or everything. */
  unasked = 0;
  whole = 0;
  calls = 0;
  said = 0;
  compared = 0;
  dying = 0;
  lostAtEnd = 0;
  /** Boots of one machine that runs them all. */
  boots = 0;
  readonly leftOut = new LeftOutCalls();
  private needsKernel = true;

  add(outcome: ComparedOutcome): void {
    const { calls, said, leftOut, dies, compared, lostAtEnd } = outcome;
    this.histories++;
    this.calls += calls;
    this.said += said;
    this.compared += compared;
    if (lostAtEnd) this.lostAtEnd++;
    if (said === 0) this.unasked++;
    else if (leftOut.length === 0 && !dies) this.whole++;
    if (dies) this.dying++;
    this.leftOut.add(leftOut);
    if (said > 0) this.boot(outcome);
  }

  /** What differs in the first boot of a machine is not run again; it may have been the first one of its shard alone. */
  private boot({ again, damaged, difference }: ComparedOutcome): void {
    const isFirst = this.boots === 0;
    if (this.needsKernel) this.boots++;
    this.boots += difference === undefined ? again : (isFirst ? 0 : 1) + difference.boots;
    this.needsKernel = damaged;
  }
}
