import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { ifModelled } from '../../model/call/exception.ts';
import type { Action } from '../../model/client/all.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { KernelDifference } from '../history/difference.ts';
import type { ObservedBreach } from './judge.ts';
import type { Transcript } from './transcript.ts';

/** How the model of the nearest profile fares where a kernel breaks a law. */
export interface BesideModel {
  /** It shows the same answers, up to the breach. */
  readonly agrees: boolean;
  /** The listed breach of real kernels that it breaks a law by there. */
  readonly known: string | undefined;
}

/**
 * A breach is known where the model shows the same and breaks a law on the way in a listed way: the same one, or another
 * whose consequence this is.
 */
export function besideModel(
  transcript: Transcript,
  breach: ObservedBreach,
  difference: KernelDifference | undefined,
): BesideModel {
  const agrees = difference === undefined || isAfter(difference, breach);
  return { agrees, known: agrees ? listedOn(transcript, breach)?.name : undefined };
}

function isAfter(difference: KernelDifference, { step, look }: ObservedBreach): boolean {
  return difference.step > step || (difference.step === step && look === undefined && difference.fn !== '');
}

/** The listed breach of the model in the same calls: of this law first, and then of any. */
function listedOn(
  { question, steps }: Transcript,
  { step, look, law }: ObservedBreach,
): KnownAttach | undefined {
  const { case: c } = question;
  const made: readonly Action[] = c.actions.slice(0, step + 1);
  const isEnd = step >= steps.length || look === undefined;
  const actions: readonly Action[] = [...made, ...(look === undefined ? [] : [look.call])];
  const settled: readonly Action[] = isEnd ? [...actions, { do: 'settle' }] : actions;
  const own = ATTACH_LAWS.filter(({ name }) => name === law.name);
  const run = (laws: typeof ATTACH_LAWS) =>
    ifModelled(() => runSequence({ ...c, actions: settled }, { laws, known: KNOWN_ATTACH }));
  const known = run(own)?.known ?? run(ATTACH_LAWS)?.known;
  return KNOWN_ATTACH.find(({ name }) => name === known?.name);
}
