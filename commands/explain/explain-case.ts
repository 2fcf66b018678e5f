import { observeCase } from '../../checker/explain/observe-case.ts';
import { stagePlace } from '../../checker/explain/stage-places.ts';
import type { ImageBench } from '../../checker/images/bench.ts';
import { benchFor } from '../../checker/images/bench.ts';
import type { CaseOutcome } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import { printCase } from '../../checker/images/spelling.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { answersOf, questionFor } from '../../counterexamples/images/describe.ts';
import { caseSteps } from '../../counterexamples/images/report.ts';
import type { Trace } from '../../counterexamples/images/trace.ts';
import { parseTrace } from '../../counterexamples/images/trace.ts';
import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import { fromHex } from '../../model/x86/word.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { divergence } from '../replay/replay.ts';
import type { ToldCall } from './call-text.ts';
import { callLines } from './call-text.ts';
import type { Explained } from './explained.ts';

/** An attach combination in detail: its links, and the call on the path that breaks its law. */
export function explainCase(text: string): Explained {
  const run = runOfCase(text);
  const { case: c, planted, answers } = run.trace;
  const { outcome } = run;
  const steps = stepsByNumber(caseSteps({ case: c, attempt: outcome.attempt }));
  return {
    kernel: c.kernel,
    head: [
      ...wrap(printCase(c), WIDTH),
      ...(planted === undefined ? [] : [`planted bug: ${planted}`]),
      '',
      ...steps.head,
    ],
    steps: steps.blocks.map((lines, i) => ({
      number: i + 1,
      lines: i < steps.blocks.length - 1 ? lines : [...lines, '', ...calledLines(run)],
    })),
    diverged: divergence(answers, answersOf(c, outcome.attempt)),
  };
}

/** The lines before the first step, and those of each. */
function stepsByNumber(lines: readonly string[]): { head: string[]; blocks: string[][] } {
  const head: string[] = [];
  const blocks: string[][] = [];
  for (const line of lines) {
    if (/^ {2,3}\d+ {1,2}\S/.test(line)) blocks.push([line]);
    else (blocks.at(-1) ?? head).push(line);
  }
  return { head, blocks };
}

/** A saved attach combination, run again. */
export interface RunOfCase {
  readonly trace: Trace;
  readonly bench: ImageBench;
  readonly outcome: CaseOutcome;
}

export function runOfCase(text: string): RunOfCase {
  const trace = parseTrace(text);
  const { case: c, planted } = trace;
  const bench = benchFor(plantedIn(PLANTED, planted));
  const law = IMAGE_LAWS.find(({ name }) => name === trace.law);
  const question = law === undefined ? { laws: [], known: [] } : questionFor(bench, c, { law, known: KNOWN });
  return { trace, bench, outcome: runCase(bench, c, question) };
}

function calledLines(run: RunOfCase): string[] {
  const told = observedRun(run);
  return told === undefined ? ['       nothing is attached: there is no image to call'] : callLines(told);
}

/** Its call, transfer by transfer; undefined: there is no image to call. */
export function observedRun({ bench: { stage }, trace, outcome }: RunOfCase): ToldCall | undefined {
  const { subject, verdict } = outcome;
  if (subject === undefined) return undefined;
  const { moments, fault } = observeCase(stage, subject, verdict?.breach?.path ?? []);
  return {
    moments,
    plans: { 'tramp#1': planImage(subject.request) },
    siteEnd: siteOffset(trace.case.ibt) + SITE_BYTES,
    kindOf: (who) => kindIn(subject, who),
    placeOf: (address) => stagePlace(stage, subject, fromHex(address)) ?? address,
    end: fault === undefined ? 'the call returns to its caller' : `✗ the call does not return: ${fault}`,
  };
}

function kindIn({ request }: Subject, who: string): string {
  return request.programs.find(({ id }) => who === `prog#${id}`)?.kind ?? 'program';
}
