import type { Bootable, Guest } from '../boot/guest.ts';
import type { TracedScope } from '../boot/new-guests.ts';
import { NewGuests } from '../boot/new-guests.ts';
import type { CastHistory } from '../history/cast-history.ts';
import type { Answering, HistoryVerdict } from '../history/history-verdict.ts';
import { runHistory } from '../history/run-history.ts';

/** What a history came to: the kernel is as it was at boot, or the next one needs another. */
export interface HistoryOutcome {
  readonly damaged: boolean;
}

/** A kernel that histories are run on, or what a test has in its place. */
export interface RunsHistories<V extends HistoryOutcome = HistoryVerdict> {
  readonly boots: number;
  /**
   * The verdict on a history. One that is wrong in a kernel in which others ran before is run again in a new one: what
   * they left there (indices of function graph, callbacks that wait) is not its own. So is one that is wrong in a machine
   * that was saved: it may not have been saved well, and each that starts from it hangs.
   */
  run(history: CastHistory): V;
  /** The verdict in the kernel as it is: what is wrong may be due to those before it. */
  runHere(history: CastHistory): V;
  /** In a kernel that has just booted. */
  runAlone(history: CastHistory): V;
  close(): void;
}

/** How a history is run on a booted kernel, and when its verdict has to be confirmed in a new one. */
export interface Running<V extends HistoryOutcome> {
  readonly run: (guest: Answering, history: CastHistory) => V;
  readonly isWrong: (verdict: V) => boolean;
}

/** Histories are compared with the model. */
export const COMPARING: Running<HistoryVerdict> = {
  run: runHistory,
  isWrong: ({ difference }) => difference !== undefined,
};

/** Histories run one after the other: in one kernel, and in a new one after each that damages it. */
export class TestedKernel<V extends HistoryOutcome> implements RunsHistories<V> {
  boots = 0;
  private guest: Guest | undefined;
  private readonly kernels: NewGuests;

  constructor(
    bootable: Bootable,
    private readonly running: Running<V>,
    scope: TracedScope,
  ) {
    this.kernels = new NewGuests(bootable, scope);
  }

  run(history: CastHistory): V {
    const boots = this.guest === undefined && !this.kernels.hasSaved;
    const verdict = this.runHere(history);
    if (boots || !this.running.isWrong(verdict)) return verdict;
    this.close();
    return this.runAlone(history);
  }

  runHere(history: CastHistory): V {
    const verdict = this.running.run(this.booted(), history);
    if (verdict.damaged) this.leave();
    return verdict;
  }

  runAlone(history: CastHistory): V {
    this.leave();
    return this.runHere(history);
  }

  close(): void {
    this.leave();
    this.kernels.close();
  }

  private leave(): void {
    this.guest?.close();
    this.guest = undefined;
  }

  private booted(): Guest {
    if (this.guest === undefined) {
      this.boots++;
      this.guest = this.kernels.next();
    }
    return this.guest;
  }
}
