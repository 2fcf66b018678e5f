import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { simplify } from '../../checker/sequences/shrink/simplify.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { sayable } from '../history/cast-history.ts';
import type { KernelDifference } from '../history/difference.ts';
import type { HistoryVerdict } from '../history/history-verdict.ts';
import type { HistoryOutcome, RunsHistories } from './tested-kernel.ts';

/** A verdict with the shortest history that was found to show it. */
export interface ShrunkHistory<V> {
  readonly question: CastHistory;
  readonly verdict: V;
  /** Calls of the history as it was drawn. */
  readonly drawn: number;
  /** Histories that the kernel was run for it. */
  readonly asked: number;
  /** It ended before no simpler one shows it. */
  readonly isBounded: boolean;
}

export type ShrunkDifference = ShrunkHistory<HistoryVerdict & { readonly difference: KernelDifference }>;

/** Histories that are run to shrink one. */
const RUNS_MOST = 150;
/** A kernel that dies of each has to boot again for each. */
const SECONDS_MOST = 240;

/** A history, and what it came to. */
export type Shown<V> = Pick<ShrunkHistory<V>, 'question' | 'verdict'>;

/** How a verdict is shrunk: the call that shows it, and whether another verdict shows the same, or anything at all. */
export interface Shrinking<V, W extends V> {
  readonly step: number;
  readonly isSame: (verdict: V) => boolean;
  readonly shows: (verdict: V) => verdict is W;
}

/**
 * Shrinks as the sequence search does, with the kernel in place of the laws: a candidate fails if the kernel shows the same.
 * The result shows it in a kernel that has just booted. A candidate may have shown what one before it had left there: where
 * the result does not show it alone, each candidate that fails is run again in a new kernel.
 */
export function shrinkShown<V extends HistoryOutcome, W extends V>(
  first: Shown<W>,
  kernel: RunsHistories<V>,
  { step, isSame, shows }: Shrinking<V, W>,
): ShrunkHistory<W> {
  const { case: whole } = first.question;
  const drawn = whole.actions.length;
  const start = { ...whole, actions: whole.actions.slice(0, step + 1) };
  const quick = new Attempt((question) => isSame(kernel.runHere(question)));
  const small = shownAlone(simplify(start, quick.fails), kernel, shows);
  if (small !== undefined) return { ...small, drawn, asked: quick.runs, isBounded: quick.isSpent };
  const careful = new Attempt((question) => isSame(kernel.run(question)));
  const alone = shownAlone(simplify(start, careful.fails), kernel, shows) ?? first;
  return { ...alone, drawn, asked: quick.runs + careful.runs, isBounded: careful.isSpent };
}

/** One shrinking, of a limited number of histories and seconds. */
class Attempt {
  runs = 0;
  private readonly end = Date.now() + 1000 * SECONDS_MOST;

  constructor(private readonly isShownBy: (question: CastHistory) => boolean) {}

  get isSpent(): boolean {
    return this.runs >= RUNS_MOST || Date.now() >= this.end;
  }

  /** A candidate that cannot be run as it is shows nothing. */
  readonly fails = (c: AttachCase): boolean => {
    // First: to see what of a candidate can be said, the model runs it.
    if (this.isSpent) return false;
    const { question, leftOut, dies } = sayable(c);
    if (question === undefined || dies || leftOut.length > 0) return false;
    this.runs++;
    return this.isShownBy(question);
  };
}

/** The same of a difference: a candidate fails if the kernel and the model differ in the same aspect. */
export function shrinkDifference(
  first: Shown<ShrunkDifference['verdict']>,
  kernel: RunsHistories,
): ShrunkDifference {
  const { aspect, step } = first.verdict.difference;
  return shrinkShown(first, kernel, {
    step,
    isSame: ({ difference }) => difference?.aspect === aspect,
    shows: isDifferent,
  });
}

function isDifferent(verdict: HistoryVerdict): verdict is ShrunkDifference['verdict'] {
  return verdict.difference !== undefined;
}

/** Undefined: it shows only after others. */
function shownAlone<V extends HistoryOutcome, W extends V>(
  small: AttachCase,
  kernel: RunsHistories<V>,
  shows: (verdict: V) => verdict is W,
): Shown<W> | undefined {
  const { question } = sayable(small);
  if (question === undefined) return undefined;
  const verdict = kernel.runAlone(question);
  return shows(verdict) ? { question, verdict } : undefined;
}
