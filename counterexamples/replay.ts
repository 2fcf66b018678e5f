import type { Bench } from '../properties/bench.ts';
import { benchFor } from '../properties/bench.ts';
import { runCase } from '../properties/case.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { plantedNamed } from '../properties/planted.ts';
import type { Counterexample } from './describe.ts';
import { answersOf, describe } from './describe.ts';
import type { Trace } from './trace.ts';

/** What became of a saved counterexample. */
export type Replayed =
  /** It breaks its law as it did, and its report is the saved one. */
  | { readonly kind: 'same'; readonly counterexample: Counterexample }
  /** It breaks its law, but the report has changed. */
  | { readonly kind: 'report changed'; readonly counterexample: Counterexample }
  /** It goes another way: the sentence says where. */
  | { readonly kind: 'diverged'; readonly why: string };

/** A trace that names something which does not exist any more. */
export class ReplayError extends Error {
  override name = 'ReplayError';
}

/** Does what a trace says once more, without any seed. */
export function replay(trace: Trace): Replayed {
  const bench = benchOf(trace);
  const law = IMAGE_LAWS.find(({ name }) => name === trace.law);
  if (law === undefined) throw new ReplayError(`there is no law ${trace.law}`);
  const { attempt } = runCase(bench, trace.case, { laws: [law], known: [] });
  const answers = answersOf(trace.case, attempt);
  const different = trace.answers.findIndex((answer, i) => answer !== answers[i]);
  if (different >= 0 || answers.length !== trace.answers.length) {
    const i = Math.max(different, 0);
    return {
      kind: 'diverged',
      why: `the link of prog#${i + 1} answers ${answers[i] ?? 'nothing'}, saved is ${trace.answers[i] ?? 'nothing'}`,
    };
  }
  const [, seed, drawnSteps] = /^seed (-?\d+)(?:, shrunk from (\d+) steps)?$/.exec(trace.found) ?? [];
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const origin = { planted: trace.planted, seed: number(seed), drawnSteps: number(drawnSteps) };
  const counterexample = describe(bench, trace.case, law, origin);
  if (counterexample === undefined) return { kind: 'diverged', why: `${trace.law} is not broken any more` };
  const same = counterexample.trace.report === trace.report;
  return { kind: same ? 'same' : 'report changed', counterexample };
}

function benchOf({ planted }: Trace): Bench {
  if (planted === undefined) return benchFor(undefined);
  const bug = plantedNamed(planted);
  if (bug === undefined) throw new ReplayError(`there is no planted bug ${planted}`);
  return benchFor(bug);
}
