import type { CastHistory, Sayable } from '../../kernels/history/cast-history.ts';
import type { ShrunkDifference } from '../../kernels/loop/shrink.ts';
import { shrinkDifference } from '../../kernels/loop/shrink.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';

/** A drawn history that was compared: plain data, which a shard keeps. */
export interface ComparedOutcome {
  /** Calls as drawn, and those that were run: 0 if nothing of it could be said. */
  readonly calls: number;
  readonly said: number;
  readonly leftOut: readonly string[];
  readonly dies: boolean;
  readonly compared: number;
  readonly lostAtEnd: boolean;
  /** The next history needs another kernel. */
  readonly damaged: boolean;
  /** Boots that its verdict took, beside that of a kernel for it: a second run alone. */
  readonly again: number;
  readonly difference: FoundDifference | undefined;
}

/** A difference that was shrunk, in which the kernel has booted again. */
export interface FoundDifference {
  readonly shrunk: ShrunkDifference;
  readonly boots: number;
}

/** Compares the histories of a run, or of a shard, one after the other on one machine. */
export class ComparedHistories {
  private needsKernel = true;

  constructor(private readonly tested: RunsHistories) {}

  outcome({ question, leftOut, dies }: Sayable, calls: number): ComparedOutcome {
    const common = { calls, said: question?.case.actions.length ?? 0, leftOut, dies };
    if (question === undefined)
      return {
        ...common,
        ...{ compared: 0, lostAtEnd: false, damaged: false, again: 0, difference: undefined },
      };
    return { ...common, ...this.run(question) };
  }

  private run(question: CastHistory): Omit<ComparedOutcome, 'calls' | 'said' | 'leftOut' | 'dies'> {
    const { tested } = this;
    const before = tested.boots + (this.needsKernel ? 1 : 0);
    const verdict = tested.run(question);
    const { compared, lostAtEnd, damaged, difference } = verdict;
    this.needsKernel = damaged;
    const again = tested.boots - before;
    if (difference === undefined) return { compared, lostAtEnd, damaged, again, difference };
    const ran = tested.boots;
    const shrunk = shrinkDifference({ question, verdict: { ...verdict, difference } }, tested);
    return { compared, lostAtEnd, damaged, again, difference: { shrunk, boots: tested.boots - ran } };
  }
}
