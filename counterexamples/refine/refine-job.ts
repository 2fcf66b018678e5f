import { Behaviour } from '../../properties/refine/behaviour.ts';
import { alphabetFor, functionsFor } from '../../properties/refine/bound.ts';
import { plainest } from '../../properties/refine/plainer.ts';
import type { Compared } from '../../properties/refine/refinement.ts';
import { refinement } from '../../properties/refine/refinement.ts';
import { actionsOf } from '../../properties/refine/retelling.ts';
import type { Answer, Job } from '../answer.ts';
import { EXIT } from '../answer.ts';
import { count, counted, wrap } from '../text.ts';
import { designName } from './names.ts';
import type { RefineCounterexample } from './refine-trace.ts';
import { describeHistory } from './refine-trace.ts';

/** Two kernels, of which the first is asked whether it behaves as the second. */
export interface RefineQuestion {
  readonly profiles: readonly [string, string];
  /** Operations of a history, at the most. */
  readonly operations: number;
}

/** Compares two kernels on every history within a bound. */
export function* refineJob(question: RefineQuestion): Job {
  const { profiles, operations } = question;
  const functions = functionsFor(profiles);
  const alphabet = alphabetFor(profiles, functions);
  const [a, b] = profiles.map((profile) => new Behaviour(profile, functions));
  const search = refinement({ a: a!, b: b!, alphabet, length: operations });
  for (let stop = false; ; ) {
    const step = search.next(stop);
    if (step.done === true) return answerOf(question, step.value);
    stop = yield `refine: ${counted(step.value, 'operation')} compared`;
  }
}

function answerOf(question: RefineQuestion, compared: Compared): Answer {
  const { profiles } = question;
  const counterexample = describeFound(question, compared);
  const lines =
    counterexample !== undefined
      ? [counterexample.report]
      : compared.length > 0
        ? [`✓ ${designName(profiles[0])} behaves as ${designName(profiles[1])} within this bound`]
        : ['? nothing was compared'];
  const exit = exitOf(question, compared);
  return {
    text: [...lines, '', ...boundLines(question, compared)].join('\n'),
    json: { command: 'refine', exit, ...jsonOf(question, compared, counterexample) },
    exit,
    save: counterexample === undefined ? [] : [counterexample],
  };
}

/** A search that was stopped leaves the question open. */
function exitOf({ operations }: RefineQuestion, { found, length }: Compared): Answer['exit'] {
  if (found !== undefined) return EXIT.BROKEN;
  return length < operations ? EXIT.INCONCLUSIVE : EXIT.HELD;
}

/** The plainest form of the history that was found. */
function describeFound({ profiles }: RefineQuestion, { found }: Compared): RefineCounterexample | undefined {
  if (found === undefined) return undefined;
  const functions = functionsFor(profiles);
  const operations = actionsOf(found.letters, profiles[0], functions);
  const described = describeHistory(plainest({ profiles, functions, operations }));
  if (described === undefined) throw new Error('the history that was found does not tell the kernels apart');
  return described;
}

/** What was compared, and of what. */
export function boundLines({ profiles, operations }: RefineQuestion, compared: Compared): string[] {
  const functions = functionsFor(profiles).map(
    ({ name, signature }) => `${name} of ${signature.args.length}`,
  );
  const { kinds } = alphabetFor(profiles, functionsFor(profiles));
  const across = new Set(profiles.map((profile) => profile.split(',')[0])).size > 1 ? ' Across kernels.' : '';
  const text =
    `${count(compared.histories)} histories of up to ${compared.length} of ${counted(operations, 'operation')}, on ` +
    `functions ${functions.join(' and ')} words, 3 programs at a time (${kinds.join(', ')}; single links of fentry ` +
    `and fexit), compared in ${counted(compared.operations, 'operation')} from ${counted(compared.pairs, 'pair')} of ` +
    `states; calls of both functions after each, and at every step of it.${across}`;
  return wrap(text, 76).map((line) => `  ${line}`);
}

function jsonOf(
  { profiles, operations }: RefineQuestion,
  compared: Compared,
  counterexample: RefineCounterexample | undefined,
) {
  const [kernel, against] = profiles;
  return {
    kernel,
    against,
    operations,
    histories: String(compared.histories),
    compared: compared.operations,
    pairs: compared.pairs,
    length: compared.length,
    counterexample:
      counterexample === undefined ? null : { path: counterexample.path, report: counterexample.report },
  };
}
