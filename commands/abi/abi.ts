import { benchFor } from '../../checker/images/bench.ts';
import type { CaseOutcome, ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import type { Known } from '../../checker/images/known-breach.ts';
import { printCase } from '../../checker/images/spelling.ts';
import type { ImageVerdict } from '../../checker/images/verdict.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { describe } from '../../counterexamples/images/describe.ts';
import { argumentTable, frameDrawing } from '../../counterexamples/images/drawing.ts';
import { listImage, printListed } from '../../counterexamples/images/excerpt.ts';
import { counted, wrap } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import type { Attempt } from '../../model/trampoline/attach.ts';
import { enteredByJmp, printFlags } from '../../model/trampoline/flags.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import { printProgram } from '../../model/trampoline/program-text.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { siteOffset } from '../../model/trampoline/stage/install.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { counterexampleJson } from '../check/search.ts';
import { abiPage } from './abi-page.ts';

/** The command `abi`: the verdict on one attach combination, with everything that it rests on. */
export function judgeCombination(c: ImageCase, known: readonly Known[], html?: string): Answer {
  const bench = benchFor(undefined);
  const outcome = runCase(bench, c, { laws: IMAGE_LAWS, known });
  const { subject, verdict } = outcome;
  if (subject === undefined || verdict === undefined) return refused(c, outcome.attempt, html);
  const breach = verdict.breach;
  const origin = { planted: undefined, seed: undefined, drawnSteps: undefined };
  const counterexample = breach && describe(bench, c, { law: breach.law, known }, origin);
  const judged = [
    ...headLines(c, outcome.attempt),
    ...(counterexample === undefined
      ? verdictLines(verdict, subject, outcome.known)
      : counterexample.trace.report.split('\n')),
  ];
  const exit = counterexample === undefined ? EXIT.HELD : EXIT.BROKEN;
  const json = {
    command: 'abi',
    exit,
    case: c,
    ...attemptJson(outcome),
    ...verdictJson(verdict, subject, outcome.known),
    ...imageJson(subject),
    counterexample: counterexample === undefined ? null : counterexampleJson(counterexample),
  };
  const text = [...judged, '', ...imageLines(subject)].join('\n');
  const words = { combination: printCase(c), judged, entry: entryText(subject) };
  const files = html === undefined ? [] : [{ file: html, content: abiPage(subject, words) }];
  return { text, json, exit, save: [], files };
}

/** Nothing was attached: the errno is the answer. */
function refused(c: ImageCase, attempt: Attempt, html: string | undefined): Answer {
  const json = {
    command: 'abi',
    exit: EXIT.HELD,
    case: c,
    attached: 0,
    refusal: attempt.refusal ?? null,
    verdict: 'refused',
    ...NO_IMAGE_JSON,
    counterexample: null,
  };
  const text = headLines(c, attempt).join('\n');
  const files = html === undefined ? [] : [{ file: html, why: 'there is no image to draw' }];
  return { text, json, exit: EXIT.HELD, save: [], files };
}

function headLines(c: ImageCase, { attached, refusal }: Attempt): string[] {
  const lines = wrap(printCase(c), 80);
  if (refusal === undefined) return lines;
  const call = refusal.stage === 'load' ? 'BPF_PROG_LOAD' : 'BPF_LINK_CREATE';
  const program = `prog#${refusal.program} ${printProgram(item(c.programs, refusal.program - 1))}`;
  lines.push(...wrap(`refused: ${call} of ${program} answers -${refusal.errno}`, 80));
  if (attached.length > 0)
    lines.push(`the image is that of the first ${counted(attached.length, 'program')}`);
  return lines;
}

/** The verdict in one line, and the known breaches that were set aside. */
export function verdictLines({ paths }: ImageVerdict, subject: Subject, known: readonly Known[]): string[] {
  const laws = appliedLaws(subject, known);
  return [
    ...known.flatMap(({ law, name }) => [`known ${law}`, `    ${name}`]),
    `✓ holds for all argument values (${counted(paths, 'path')}; ${counted(laws, 'law')} met ${laws === 1 ? 'its' : 'their'} premise)`,
  ];
}

/** Laws that say something about an image, without those that are known to be broken. */
function appliedLaws(subject: Subject, known: readonly Known[]): number {
  const broken = known.map(({ law }) => law);
  return IMAGE_LAWS.filter((law) => law.premise(subject) && !broken.includes(law.name)).length;
}

/** The image: arguments, frame, listing. The frame is drawn only for the model's own image. */
export function imageLines(subject: Subject, drawn = true): string[] {
  const { request, flags, bytes } = subject;
  const slots = subject.contract.slots.length;
  return [
    `  f(${printSignature(request.signature)})   ${counted(slots, 'argument word')}`,
    ...argumentTable(request.signature),
    '',
    `  tramp#1   ${bytes.length} bytes, ${printFlags(flags)}`,
    `  ${entryText(subject)} tramp#1`,
    '',
    ...(drawn ? ['  frame, from rbp', ...frameDrawing(planImage(request)), ''] : []),
    ...listImage(subject).map(printListed),
  ];
}

/** How a call comes to the image. */
function entryText({ request, flags, entry, contract }: Subject): string {
  if (contract.isMember) return 'f         is a pointer to';
  const how = entry.redirected ? 'the live patch, then to' : enteredByJmp(flags) ? 'jmp' : 'call';
  return `f+0x${siteOffset(request.ibt).toString(16)}     ${how}`;
}

function attemptJson({ attempt }: CaseOutcome) {
  return { attached: attempt.attached.length, refusal: attempt.refusal ?? null };
}

export function verdictJson({ paths, breach }: ImageVerdict, subject: Subject, known: readonly Known[]) {
  const verdict = breach === undefined ? 'holds for all argument values' : 'broken';
  return {
    verdict,
    paths: paths.toString(),
    laws: appliedLaws(subject, known),
    known: known.map(({ name }) => name),
  };
}

/** The fields of a verdict and of an image when no image could be run. */
export const NO_IMAGE_JSON = { paths: null, laws: null, known: [], flags: null, bytes: null, listing: [] };

/** An image in `--json`: bytes as hexadecimal text, and the listing. */
export function imageJson(subject: Subject) {
  return {
    flags: printFlags(subject.flags),
    bytes: Buffer.from(subject.bytes).toString('hex'),
    listing: listImage(subject).map(({ offset, text, note }) => ({ offset, text, note })),
  };
}
