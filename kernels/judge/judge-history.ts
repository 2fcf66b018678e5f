import type { CastHistory } from '../history/cast-history.ts';
import type { KernelDifference } from '../history/difference.ts';
import type { Answering } from '../history/history-verdict.ts';
import { runHistory } from '../history/run-history.ts';
import type { ObservedBreach } from './judge.ts';
import { isLeftBehind, isUnjudgedEnd, judgeTranscript } from './judge.ts';
import type { BesideModel } from './known.ts';
import { besideModel } from './known.ts';
import type { ObservedStep, Transcript } from './transcript.ts';
import { answeringAgain, observeHistory } from './transcript.ts';

/** A breach, and the model beside it. */
export interface JudgedBreach extends ObservedBreach {
  readonly model: BesideModel;
}

/** What came of a history on a kernel. */
export interface ContractVerdict {
  readonly breach: JudgedBreach | undefined;
  /** Where it first answers other than the nearest profile: no breach by itself. */
  readonly difference: KernelDifference | undefined;
  /** What the kernel answered to each call. */
  readonly answers: readonly string[];
  readonly calls: number;
  readonly looks: number;
  readonly judged: number;
  /** Detaching everything has warned, and what it leaves is of no listed breach: not judged. */
  readonly unjudgedEnd: boolean;
  /** The kernel is not as it was at boot, or gone: the next history needs another one. */
  readonly damaged: boolean;
}

/** Runs a history on a kernel, judges it by the contract, and holds it beside the nearest profile. */
export function judgeHistory(guest: Answering, question: CastHistory): ContractVerdict {
  const transcript = observeHistory(guest, question);
  const { breach, judged } = judgeTranscript(transcript);
  const { difference } = runHistory(answeringAgain(transcript), question);
  const { steps, end } = transcript;
  const judgedBreach = breach && { ...breach, model: besideModel(transcript, breach, difference) };
  const unjudgedEnd =
    end !== undefined &&
    isUnjudgedEnd(end) &&
    isOfTheEnd(judgedBreach) &&
    judgedBreach?.model.known === undefined;
  return {
    breach: unjudgedEnd ? undefined : judgedBreach,
    difference: isOfAnAnswer(transcript, difference) ? difference : undefined,
    answers: answersOf(transcript),
    calls: steps.length,
    looks: steps.reduce((sum, { looks }) => sum + looks.length, 0),
    judged,
    unjudgedEnd,
    damaged: isLeftBehind(transcript),
  };
}

/** Nothing is broken before everything is taken off. */
function isOfTheEnd(breach: ObservedBreach | undefined): boolean {
  return breach === undefined || breach.finding.is === 'left-patched';
}

/** A breach that is not listed. */
export function isNewBreach({ breach }: Pick<ContractVerdict, 'breach'>): boolean {
  return breach !== undefined && breach.model.known === undefined;
}

/** One for each call that was answered, also that after which the kernel was lost. */
function answersOf({ question, steps, lost }: Transcript): string[] {
  const last = question.case.actions[steps.length];
  const after = lost?.errno === undefined || last === undefined ? [] : [{ action: last, errno: lost.errno }];
  return [...steps, ...after].map(answerOf);
}

function answerOf({ action, errno }: Pick<ObservedStep, 'action' | 'errno'>): string {
  if (action.do === 'call') return '';
  return errno === 0 ? '0' : `-${errno}`;
}

/** A kernel that stopped answering is judged as a breach; that it answers no more is no difference. */
function isOfAnAnswer({ steps }: Transcript, difference: KernelDifference | undefined): boolean {
  return difference !== undefined && difference.step < steps.length && difference.aspect !== 'kernel lost';
}
