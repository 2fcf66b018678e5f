import type { Bootable } from '../boot/guest.ts';
import { Guest } from '../boot/guest.ts';
import type { CastHistory } from '../history/cast-history.ts';
import type { HistoryVerdict } from '../history/run-history.ts';
import { runHistory } from '../history/run-history.ts';

/** What histories are run of: a kernel, or what a test has in its place. */
export interface RunsHistories {
  readonly boots: number;
  ask(question: CastHistory): HistoryVerdict;
  /** In a kernel that has just booted. */
  runAlone(question: CastHistory): HistoryVerdict;
  close(): void;
}

/** A kernel that histories are run of, one after the other: booted once, and again after each that leaves damage. */
export class TestedKernel implements RunsHistories {
  boots = 0;
  private guest: Guest | undefined;

  constructor(private readonly bootable: Bootable) {}

  /**
   * The verdict on a history. A difference in a kernel in which others ran before is run of a new one: what a history
   * leaves in it (indices of function graph, what still waits) is not the history's own.
   */
  ask(question: CastHistory): HistoryVerdict {
    const isNew = this.guest === undefined;
    const verdict = this.once(question);
    return verdict.difference === undefined || isNew ? verdict : this.runAlone(question);
  }

  /** The verdict in a kernel that has just booted. */
  runAlone(question: CastHistory): HistoryVerdict {
    this.close();
    return this.once(question);
  }

  close(): void {
    this.guest?.close();
    this.guest = undefined;
  }

  private once(question: CastHistory): HistoryVerdict {
    const verdict = runHistory(this.booted(), question);
    if (verdict.damaged) this.close();
    return verdict;
  }

  private booted(): Guest {
    if (this.guest === undefined) {
      this.boots++;
      this.guest = new Guest(this.bootable);
    }
    return this.guest;
  }
}
