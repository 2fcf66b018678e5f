import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { simplify } from '../../checker/sequences/shrink/simplify.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { sayable } from '../history/cast-history.ts';
import type { KernelDifference } from '../history/difference.ts';
import type { HistoryVerdict } from '../history/run-history.ts';

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

/** Answers whether the kernel and the model part over a history. */
export type RunsHistory = (question: CastHistory) => HistoryVerdict;

/** Histories that are run to shrink one: each takes a second or a boot. */
const ASKED_MOST = 150;

/**
 * Shrinks as the sequence search does, with the kernel in place of the laws: a candidate fails if the kernel and the
 * model part over it in the same aspect.
 */
export function shrinkDifference(
  first: CastHistory,
  {
    verdict,
    ask,
  }: {
    readonly verdict: HistoryVerdict & { readonly difference: KernelDifference };
    readonly ask: RunsHistory;
  },
): ShrunkDifference {
  const { aspect, step } = verdict.difference;
  let asked = 0;
  let best: { readonly question: CastHistory; readonly verdict: ShrunkDifference['verdict'] } = {
    question: first,
    verdict,
  };
  const fails = (c: AttachCase): boolean => {
    const { question, leftOut, dies } = sayable(c);
    if (question === undefined || dies || leftOut.length > 0 || asked >= ASKED_MOST) return false;
    asked++;
    const answer = ask(question);
    if (answer.difference?.aspect !== aspect) return false;
    best = { question, verdict: { ...answer, difference: answer.difference } };
    return true;
  };
  const upTo = { ...first.case, actions: first.case.actions.slice(0, step + 1) };
  const small = simplify(upTo, fails);
  const told =
    JSON.stringify(best.question.case) === JSON.stringify(small) ? best : confirmed(small, best, ask);
  return {
    ...told,
    drawn: first.case.actions.length,
    asked,
    isBounded: asked >= ASKED_MOST,
  };
}

/** The last one that was run is mostly the smallest; otherwise that is run again. */
function confirmed(
  small: AttachCase,
  best: Pick<ShrunkDifference, 'question' | 'verdict'>,
  ask: RunsHistory,
): Pick<ShrunkDifference, 'question' | 'verdict'> {
  const { question } = sayable(small);
  if (question === undefined) return best;
  const answer = ask(question);
  return answer.difference === undefined
    ? best
    : { question, verdict: { ...answer, difference: answer.difference } };
}
