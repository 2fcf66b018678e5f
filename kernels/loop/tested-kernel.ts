import type { Bootable } from '../boot/guest.ts';
import { Guest } from '../boot/guest.ts';
import type { CastHistory } from '../history/cast-history.ts';
import type { HistoryVerdict } from '../history/run-history.ts';
import { runHistory } from '../history/run-history.ts';

/** A kernel that histories are run on, or what a test has in its place. */
export interface RunsHistories {
  readonly boots: number;
  /**
   * The verdict on a history. One that differs in a kernel in which others ran before is run again in a new one: what
   * they left there (indices of function graph, callbacks that wait) is not its own.
   */
  run(history: CastHistory): HistoryVerdict;
  /** The verdict in the kernel as it is: a difference may be due to those before it. */
  runHere(history: CastHistory): HistoryVerdict;
  /** In a kernel that has just booted. */
  runAlone(history: CastHistory): HistoryVerdict;
  close(): void;
}

/** Histories run one after the other: the kernel is booted once, and again after each that damages it. */
export class TestedKernel implements RunsHistories {
  boots = 0;
  private guest: Guest | undefined;

  constructor(private readonly bootable: Bootable) {}

  run(history: CastHistory): HistoryVerdict {
    const isNew = this.guest === undefined;
    const verdict = this.runHere(history);
    return verdict.difference === undefined || isNew ? verdict : this.runAlone(history);
  }

  runHere(history: CastHistory): HistoryVerdict {
    const verdict = runHistory(this.booted(), history);
    if (verdict.damaged) this.close();
    return verdict;
  }

  runAlone(history: CastHistory): HistoryVerdict {
    this.close();
    return this.runHere(history);
  }

  close(): void {
    this.guest?.close();
    this.guest = undefined;
  }

  private booted(): Guest {
    if (this.guest === undefined) {
      this.boots++;
      this.guest = new Guest(this.bootable);
    }
    return this.guest;
  }
}
