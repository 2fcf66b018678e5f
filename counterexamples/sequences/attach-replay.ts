import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { item } from '../../model/core/present.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { Replayed } from '../trace-file.ts';
import { plantedIn, readFound, replayedAs } from '../trace-file.ts';
import { describeSequence } from './attach-describe.ts';
import { answerOf } from './attach-report.ts';
import type { AttachTrace } from './attach-trace.ts';

/** Replays a trace, without any seed. */
export function replaySequence(
  trace: AttachTrace,
  law: AttachLaw,
  listed: readonly KnownAttachBreach[],
): Replayed {
  const planted = plantedIn(ATTACH_PLANTED, trace.planted);
  const steps = stepsOf(trace.case, plantedKernel(planted));
  const why = divergenceOf(steps, trace.answers);
  if (why !== undefined) return { kind: 'diverged', why };
  const origin = { planted, known: trace.known, listed, ...readFound(trace.found) };
  const described = describeSequence(trace.case, law, origin, steps);
  if (described === undefined) return { kind: 'holds' };
  return replayedAs(trace.report, described.trace.report);
}

/** The first action whose answer differs from the one in a trace. */
function divergenceOf(steps: readonly Step[], answers: readonly string[]): string | undefined {
  const index = steps.findIndex(({ action, outcome }, i) => answerOf(action, outcome) !== answers[i]);
  if (index < 0) return undefined;
  const { action, outcome } = item(steps, index);
  return `step ${index + 1} answers ${answerOf(action, outcome) || 'nothing'}, saved is ${answers[index] || 'nothing'}`;
}

/** The same for a file that was written by hand: missing answers are not compared. */
export function divergenceFromSaid(steps: readonly Step[], answers: readonly string[]): string | undefined {
  return divergenceOf(
    steps,
    steps.map(({ action, outcome }, i) => answers[i] || answerOf(action, outcome)),
  );
}
