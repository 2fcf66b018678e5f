import type { ImageBench } from '../../checker/images/bench.ts';
import type { CaseOutcome, CaseQuestion, ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import type { Known } from '../../checker/images/known-breach.ts';
import { simplerCases } from '../../checker/images/minimise.ts';
import type { Breach } from '../../checker/images/paths.ts';
import type { Attempt } from '../../model/trampoline/attach.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { CORPUS } from '../corpus-folder.ts';
import { boundOption } from '../default-bounds.ts';
import { counted } from '../text.ts';
import { printFound } from '../trace-file.ts';
import { whyImage } from './image-why.ts';
import { whatDoesNotMatter } from './narrow.ts';
import { printReport } from './report.ts';
import type { Trace } from './trace.ts';

/** The origin of a counterexample. */
export interface TraceOrigin {
  readonly planted: string | undefined;
  readonly seed: number | undefined;
  readonly number?: number | undefined;
  /** Steps of the case before shrinking. */
  readonly drawnSteps: number | undefined;
}

/** A counterexample with its report, as printed and saved. */
export interface Counterexample {
  readonly trace: Trace;
  readonly breach: Breach;
  /** Where it is or would be saved, below the corpus. */
  readonly path: string;
}

/** A law that a case breaks, and the breaches of it that are known. */
export interface Broken {
  readonly law: Law;
  readonly known: readonly Known[];
}

/** The questions for running a case again: known breaches are set aside if they would mask the new one. */
export function questionFor(bench: ImageBench, c: ImageCase, { law, known }: Broken): CaseQuestion {
  const besides = { laws: [law], known };
  const { known: met, verdict } = runCase(bench, c, besides);
  return met.length > 0 && verdict?.breach !== undefined ? besides : { laws: [law], known: [] };
}

/** Runs a case again and describes how it breaks a law; undefined when it does not. */
export function describe(
  bench: ImageBench,
  c: ImageCase,
  broken: Broken,
  origin: TraceOrigin,
): Counterexample | undefined {
  const question = questionFor(bench, c, broken);
  const outcome = runCase(bench, c, question);
  const breach = outcome.verdict?.breach;
  if (breach === undefined || outcome.subject === undefined) return undefined;
  const path = pathOf(breach.law.name, origin.planted);
  const fails = (candidate: ImageCase) => runCase(bench, candidate, question).verdict?.breach !== undefined;
  const report = printReport({
    case: c,
    attempt: outcome.attempt,
    subject: outcome.subject,
    breach,
    shrunkFrom: origin.drawnSteps,
    planted: origin.planted,
    why: whyImage(c, question, outcome.subject, origin.planted),
    narrow: whatDoesNotMatter(c, fails),
    minimal: minimality(c, fails),
    replay: `npm run check -- replay ${CORPUS}/${path}`,
    search: searchLine(breach, origin),
  });
  return { trace: traceOf(c, outcome, breach, origin, report), breach, path };
}

/** The fields of a finding in `--json`. */
export function foundJson({ trace, path }: { trace: { law: string; report: string }; path: string }) {
  return { law: trace.law, path: `${CORPUS}/${path}`, report: trace.report };
}

/** The knowledge of smaller breaches: every case one step simpler has been tried. */
function minimality(c: ImageCase, fails: (candidate: ImageCase) => boolean): string {
  const simpler = simplerCases(c);
  const failing = simpler.filter(fails).length;
  if (simpler.length === 0) return 'there is no simpler case';
  if (failing > 0)
    return `${counted(failing, 'simpler case')} of ${simpler.length} one step away break it too`;
  return simpler.length === 1
    ? 'the simpler case one step away holds'
    : `all ${simpler.length} simpler cases one step away hold`;
}

function searchLine({ law }: Breach, { seed, number, planted }: TraceOrigin): string | undefined {
  if (seed === undefined) return undefined;
  const bug = planted === undefined ? '' : ` --planted ${planted}`;
  return `npm run check -- --law ${law.name}${bug} --seed ${seed}${boundOption('--cases', number)}`;
}

/** Where a counterexample is saved, below the corpus. */
export function pathOf(law: string, planted: string | undefined): string {
  return `${law}${planted === undefined ? '' : `.${planted}`}.trace`;
}

function traceOf(
  c: ImageCase,
  { attempt }: CaseOutcome,
  { law }: Breach,
  { planted, seed, number, drawnSteps }: TraceOrigin,
  report: string,
): Trace {
  const found = printFound({ seed, number, drawn: drawnSteps });
  return { case: c, law: law.name, planted, found, answers: answersOf(c, attempt), report };
}

/** The errno of each link, up to the first that was refused. */
export function answersOf(c: ImageCase, { attached, refusal }: Attempt): string[] {
  const answers = attached.map(() => '0');
  if (refusal !== undefined && attached.length < c.programs.length) answers.push(`-${refusal.errno}`);
  return answers;
}
