import { InputError } from '../../model/core/input-error.ts';
import { stepsOf } from '../../properties/attach/run-sequence.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { ATTACH_PLANTED } from '../../properties/planted/attach.ts';
import type { AttachPlanted } from '../../properties/planted/attach-planted.ts';
import type { Replayed } from '../trace-file.ts';
import { readFound } from '../trace-file.ts';
import { describeSequence, programFor } from './attach-describe.ts';
import { answerOf } from './attach-report.ts';
import type { AttachTrace } from './attach-trace.ts';

/** Whether a trace is a sequence: its law is one of those for sequences. */
export function isSequenceTrace(text: string): boolean {
  const law = /^law +(\S+)$/m.exec(text)?.[1];
  return ATTACH_LAWS.some(({ name }) => name === law);
}

/** Does what a trace says once more, without any seed. */
export function replaySequence(trace: AttachTrace): Replayed {
  const law = ATTACH_LAWS.find(({ name }) => name === trace.law);
  if (law === undefined) throw new InputError(`there is no law ${trace.law}`);
  const planted = plantedOf(trace);
  const why = divergence(trace, planted);
  if (why !== undefined) return { kind: 'diverged', why };
  const described = describeSequence(trace.case, law, {
    planted,
    known: trace.known,
    ...readFound(trace.found),
  });
  if (described === undefined) return { kind: 'holds' };
  const { report } = described.trace;
  return { kind: report === trace.report ? 'same' : 'report changed', report };
}

function plantedOf({ planted }: AttachTrace): AttachPlanted | undefined {
  if (planted === undefined) return undefined;
  const bug = ATTACH_PLANTED.find(({ name }) => name === planted);
  if (bug === undefined)
    throw new InputError(
      `there is no planted bug ${planted}; there are ${ATTACH_PLANTED.map(({ name }) => name).join(', ')}`,
    );
  return bug;
}

/** The first action that is answered otherwise than it was. */
function divergence(
  { case: c, answers }: AttachTrace,
  planted: AttachPlanted | undefined,
): string | undefined {
  const steps = stepsOf(c, programFor(planted));
  const at = steps.findIndex(({ action, outcome }, i) => answerOf(action, outcome) !== answers[i]);
  if (at < 0) return undefined;
  const { action, outcome } = steps[at]!;
  return `step ${at + 1} answers ${answerOf(action, outcome) || 'nothing'}, saved is ${answers[at] || 'nothing'}`;
}
