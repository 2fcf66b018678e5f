import type { ImageCase } from '../../checker/images/case.ts';
import { targetOfCase } from '../../checker/images/case.ts';
import type { Breach, Choice } from '../../checker/images/paths.ts';
import { item } from '../../model/core/present.ts';
import type { Attempt } from '../../model/trampoline/attach.ts';
import type { ImageFlags } from '../../model/trampoline/flags.ts';
import { enteredByJmp, imageFlags, printFlags } from '../../model/trampoline/flags.ts';
import { isOfMember } from '../../model/trampoline/program.ts';
import { imageMaker, printProgram } from '../../model/trampoline/program-text.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { siteOffset } from '../../model/trampoline/stage/install.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { BreachCause } from '../../properties/finding/why.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import type { Framed } from '../report-frame.ts';
import { headLines, tailLines, whyLines } from '../report-frame.ts';
import { answeredLines, labelled } from '../text.ts';
import { excerpt, listImage, nameWords, offsetOf } from './excerpt.ts';

/** Everything in the report of a breach. */
export interface ReportedImage extends Framed {
  readonly case: ImageCase;
  readonly attempt: Attempt;
  readonly subject: Subject;
  readonly breach: Breach;
  readonly why: BreachCause | undefined;
}

/** The report of one breach; at most forty lines. */
export function printReport(r: ReportedImage): string {
  const { law, finding } = r.breach;
  const { expected, observed } = rendered(finding);
  return [
    ...headLines(law, circumstances(r)),
    ...steps(r),
    '',
    ...labelled('expected', nameWords(r.subject, expected)),
    ...labelled('observed', nameWords(r.subject, observed)),
    ...whyLines(r.why),
    ...bytes(r),
    ...tailLines(law, r),
  ].join('\n');
}

/** Steps of a case: its links, the live patch, the call. */
export function stepCount(c: ImageCase): number {
  return c.programs.length + (c.ipmodify ? 1 : 0) + 1;
}

function circumstances({ case: c, shrunkFrom, planted }: ReportedImage): string {
  const parts = [
    `${stepCount(c)} steps${shrunkFrom === undefined ? '' : `, shrunk from ${shrunkFrom}`}`,
    `kernel ${c.kernel}`,
  ];
  if (c.boot !== 'default') parts.push(`boot ${c.boot}`);
  if (planted !== undefined) parts.push(`planted bug: ${planted}`);
  return parts.join(' · ');
}

function steps(r: ReportedImage): string[] {
  return [...caseSteps(r), ...r.breach.path.slice(0, MANY).map(printChoice)];
}

/** The program in the kernel's words; under each step its changes. */
export function caseSteps(r: Pick<ReportedImage, 'case' | 'attempt'>): string[] {
  const target = targetOfCase(r.case);
  const lines = [
    `     f(${printSignature(target.signature)})${r.case.tailCalls ? ', a BPF program that may make tail calls' : ''}`,
  ];
  let number = 0;
  const step = (action: string, answer: string) => {
    lines.push(...answeredLines(`  ${++number}  ${action}`, answer));
  };
  if (r.case.ipmodify) step('register_ftrace_function(ops#1 IPMODIFY, f)', '0');
  const shown = r.case.programs.length > MANY ? [] : r.case.programs;
  let before: ImageFlags | undefined;
  shown.forEach((program, i) => {
    const attached = i < r.attempt.attached.length;
    step(
      `${imageMaker(program)}(prog#${i + 1} ${printProgram(program)}, f)`,
      attached ? '0' : `-${r.attempt.refusal!.errno}`,
    );
    if (!attached) return;
    const after = flagsAfter(r, i + 1);
    lines.push(...changes(r.case, before, after));
    before = after;
  });
  if (shown.length === 0)
    step(
      `links ${r.case.programs.length} programs: ${printProgram(item(r.case.programs, 0))}, …`,
      `${r.attempt.attached.length}`,
    );
  step('task#1 calls f', '');
  return lines;
}

/** Programs that are listed one by one. */
const MANY = 4;

function flagsAfter(
  { case: c, attempt }: Pick<ReportedImage, 'case' | 'attempt'>,
  count: number,
): ImageFlags {
  const { profile, signature } = targetOfCase(c);
  const sticky = { shareIpmodify: attempt.shareIpmodify, tailCallCtx: c.tailCalls };
  return imageFlags({ profile, programs: attempt.attached.slice(0, count), sticky, signature });
}

/** The changes of a link: the call site, and the resulting image. */
function changes(c: ImageCase, before: ImageFlags | undefined, after: ImageFlags): string[] {
  const site = (flags: ImageFlags | undefined) =>
    flags === undefined ? 'nop5' : `${enteredByJmp(flags) ? 'jmp' : 'call'} tramp#1`;
  const image = (flags: ImageFlags | undefined) => (flags === undefined ? '–' : printFlags(flags) || '0');
  const place = `f+0x${siteOffset(c.ibt).toString(16)}`;
  const lines: string[] = [];
  if (!isOfMember(c.programs) && site(before) !== site(after))
    lines.push(change(place, site(before), site(after)));
  if (image(before) !== image(after)) lines.push(change('tramp#1', image(before), image(after)));
  return lines;
}

function change(subject: string, before: string, after: string): string {
  return `       ${subject.padEnd(13)}${before.padEnd(18)}→  ${after}`;
}

function printChoice({ program, question, nonzero }: Choice): string {
  const answer =
    question === 'start'
      ? nonzero
        ? 'is entered'
        : 'is missed: enter answers zero'
      : nonzero
        ? 'returns a value'
        : 'returns zero';
  return `       ${`prog#${program}`.padEnd(13)}${answer}`;
}

/** Where in the bytes: the wrong instruction, or the one that wrote the wrong value. */
function bytes({ subject, breach: { at: seenAt, returnsTo, writer, left } }: ReportedImage): string[] {
  const lines = listImage(subject);
  const call = offsetOf(subject, returnsTo);
  const before = lines.find((line) => call !== undefined && line.offset + line.bytes.length === call)?.offset;
  const marks = [
    offsetOf(subject, writer) ?? offsetOf(subject, seenAt) ?? before ?? offsetOf(subject, left),
  ].filter((mark) => mark !== undefined);
  const around = excerpt(
    lines.map((line) => ({ ...line, marked: marks.includes(line.offset) })),
    2,
  );
  return around.length === 0 ? [] : ['', ...around];
}
