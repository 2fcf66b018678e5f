import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { simplify } from '../../checker/sequences/shrink/simplify.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { sayable } from '../history/cast-history.ts';
import type { KernelDifference } from '../history/difference.ts';
import type { HistoryVerdict } from '../history/run-history.ts';
import type { RunsHistories } from './tested-kernel.ts';

/** A difference with the shortest history that was found to show it. */
export interface ShrunkDifference {
  readonly question: CastHistory;
  readonly verdict: HistoryVerdict & { readonly difference: KernelDifference };
  /** Calls of the history as it was drawn. */
  readonly drawn: number;
  /** Histories that the kernel was run for it. */
  readonly asked: number;
  /** It ended before no simpler one differs. */
  readonly isBounded: boolean;
}

/** Histories that are run to shrink one. */
const RUNS_MOST = 150;

type Differing = Pick<ShrunkDifference, 'question' | 'verdict'>;

/**
 * Shrinks as the sequence search does, with the kernel in place of the laws: a candidate fails if the kernel and the
 * model differ in the same aspect. The result differs in a kernel that has just booted.
 */
export function shrinkDifference(first: Differing, kernel: RunsHistories): ShrunkDifference {
  const { aspect, step } = first.verdict.difference;
  const { actions } = first.question.case;
  let runs = 0;
  const fails = (c: AttachCase): boolean => {
    const { question, leftOut, dies } = sayable(c);
    if (question === undefined || dies || leftOut.length > 0 || runs >= RUNS_MOST) return false;
    runs++;
    return kernel.runHere(question).difference?.aspect === aspect;
  };
  const small = simplify({ ...first.question.case, actions: actions.slice(0, step + 1) }, fails);
  const alone = differingAlone(small, kernel) ?? first;
  return { ...alone, drawn: actions.length, asked: runs, isBounded: runs >= RUNS_MOST };
}

/** Undefined: it differs only after others. */
function differingAlone(small: AttachCase, kernel: RunsHistories): Differing | undefined {
  const { question } = sayable(small);
  if (question === undefined) return undefined;
  const verdict = kernel.runAlone(question);
  const { difference } = verdict;
  return difference === undefined ? undefined : { question, verdict: { ...verdict, difference } };
}
