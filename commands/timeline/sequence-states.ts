import { untilItDies } from '../../checker/sequences/judge-sequence.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { printAction } from '../../model/action-text.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { InputError } from '../../model/core/input-error.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { PlayedCalls } from '../explain/played-sequence.ts';
import { namedStepBreach, playSequence } from '../explain/played-sequence.ts';
import type { ItfTrace, ItfValue } from './itf.ts';
import { itfTrace } from './itf.ts';
import { kernelVariables, seenValue } from './kernel-variables.ts';
import { aboutRun, HOLDS, verdictOf } from './verdict-variable.ts';

/** A sequence of client calls as states: the kernel after its boot, and after each call. */
export function sequenceStates(text: string): ItfTrace {
  const [own, ...others] = playSequence(text);
  if (own === undefined || others.length > 0)
    throw new InputError('states are of one kernel: name it instead of "all"');
  const steps = untilItDies(own.steps);
  const about = aboutRun(own.case.profile, own);
  const [first] = steps;
  if (first === undefined) return itfTrace(about, []);
  const seen: ItfValue[] = [];
  const breach = namedStepBreach(own);
  const states = steps.map((step, i) => {
    seen.push(...(step.outcome.call?.events ?? []).map(seenValue));
    const verdict = breach?.at === i ? verdictOf(breach.law.name, rendered(breach.finding)) : crashOf(step);
    return { action: actionOf(own, step), ...kernelVariables(step.after), seen: [...seen], verdict };
  });
  const boot = {
    action: { call: '', answer: '' },
    ...kernelVariables(first.before),
    seen: [],
    verdict: HOLDS,
  };
  return itfTrace(about, [boot, ...states]);
}

function actionOf({ case: c }: PlayedCalls, { action, outcome }: Step): ItfValue {
  return { call: printAction(action, c), answer: answerOf(action, outcome) };
}

function crashOf({ outcome: { died } }: Step): ItfValue {
  return died === undefined ? HOLDS : verdictOf('', { expected: '', observed: crashText(died) });
}
