import { unreachable } from '../../model/core/unreachable.ts';
import { untilPassed } from '../law/wait-words.ts';
import type { Act, BreachCause, OtherVerdict, Parting } from './why.ts';

/** One paragraph: which step makes the difference, and what another kernel does there. */
export function whyText(why: BreachCause): string {
  switch (why.is) {
    case 'planted':
      return [
        why.sentence,
        why.parting === undefined
          ? 'Without the planted bug no step before the breach differs.'
          : `Without the planted bug, ${partingText(why.parting)}.`,
      ].join(' ');
    case 'elsewhere':
      return [
        `${clauses(why.others).join('; ')}.`,
        ...(why.parting === undefined ? [] : [`In ${why.parting.kernel}, ${partingText(why.parting)}.`]),
      ].join(' ');
    default:
      return unreachable(why);
  }
}

/** `6.1 and 6.12 break the law as well`: the kernels of which the same is known. */
function clauses(others: readonly OtherVerdict[]): string[] {
  return VERDICTS.flatMap((verdict) => {
    const kernels = others.filter((other) => other.verdict === verdict).map(({ kernel }) => kernel);
    const [singular, plural] = VERDICT[verdict];
    return kernels.length === 0 ? [] : [`${ALL.format(kernels)} ${kernels.length === 1 ? singular : plural}`];
  });
}

/** `6.1, 6.12 and 7.2`. */
const ALL = new Intl.ListFormat('en-GB');

/** Of one kernel, and of several. */
const VERDICT: Readonly<Record<OtherVerdict['verdict'], readonly [singular: string, plural: string]>> = {
  holds: ['does not have it', 'do not have it'],
  breaks: ['breaks the law as well', 'break the law as well'],
  cut: ['was not searched to the end', 'were not searched to the end'],
  lacks: ['cannot run the same program', 'cannot run the same program'],
};
const VERDICTS = Object.keys(VERDICT) as OtherVerdict['verdict'][];

/** `client#1 at step 19 does "sync after int3" in text_poke_bp_batch(), where this kernel does "write tails"`. */
function partingText({ step, actor, here, there }: Parting): string {
  const subject = actor === undefined ? `step ${step}` : `${actor} at step ${step}`;
  const within = there.is === 'part' ? there.routine : undefined;
  const instead = here.is === 'nothing' ? '' : `, where this kernel ${actText(here, within)}`;
  return `${subject} ${actText(there)}${instead}`;
}

function actText(act: Act, within?: string): string {
  switch (act.is) {
    case 'part': {
      const verb = act.refused === null ? 'does' : `answers -${act.refused} at`;
      return `${verb} "${act.part}"${act.routine === within ? '' : ` in ${act.routine}()`}`;
    }
    case 'planted part':
      return `does the planted step of ${act.routine}()`;
    case 'place':
      return `gets to ${act.place}`;
    case 'lock':
      return `waits for ${act.lock}, which ${act.holder} holds`;
    case 'grace period':
      return act.tasks.length === 0
        ? `waits for ${act.flavour}`
        : `waits for ${act.flavour} ${untilPassed(act.tasks)}`;
    case 'change':
      return act.to === null ? `leaves no ${act.subject}` : `leaves ${act.subject} ${act.to}`;
    case 'answer':
      return answerText(act.answer);
    case 'calls':
      return act.who.length === 0 ? 'calls no client' : `calls ${act.who.join(', ')}`;
    case 'instruction':
      return `generates "${act.text.replaceAll(/\s+/g, ' ')}" at ${act.place}`;
    case 'nothing':
      return 'has nothing to do';
    default:
      return unreachable(act);
  }
}

/** A call has no errno: it returns, or dies. */
function answerText(answer: string): string {
  if (answer === 'dies') return 'dies';
  return answer === '' ? 'returns' : `answers ${answer}`;
}
