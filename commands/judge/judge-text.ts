import type { BrokenLaw, IdleStep, JudgedSequence } from '../../checker/sequences/judge-sequence.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import { actionLines, functionLines, stepReport } from '../../counterexamples/sequences/attach-report.ts';
import { counted, labelled, wrap } from '../../counterexamples/text.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { isMisuse } from '../../model/misuse.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Elsewhere, JudgedFile } from './judge.ts';

/** The steps with their changes, each breach, and the verdict in the last line. */
export function judgedLines(judged: JudgedFile): string[] {
  const lines = judged.judged.flatMap((own) => [
    ...stepsLines(own, judged.planted),
    ...own.broken.flatMap((broken) => ['', ...breachLines(broken, judged)]),
    '',
    ...verdictLines(own, judged.planted),
    ...doubtLines(own),
  ]);
  return [...lines, ...judged.lacking.map(({ profile, call }) => `? ${profile}: it has no ${call}()`)];
}

/** Reasons why the verdict is not on what the file says. */
function doubtLines({ idle, diverged }: JudgedFile['judged'][number]): string[] {
  const steps = idle.map(({ index, why }) => `? step ${index + 1}: ${IDLE[why]}`);
  return diverged === undefined ? steps : [...steps, `? the answers differ from the file: ${diverged}`];
}

export const IDLE: Readonly<Record<IdleStep['why'], string>> = {
  'no client does that': 'it was not tried',
  'nothing failed': 'the call that was to fail was not reached',
};

function stepsLines({ case: c, steps }: JudgedSequence<KnownAttach>, planted: string | undefined): string[] {
  const head = [`kernel ${c.profile}`, ...(planted === undefined ? [] : [`planted bug: ${planted}`])];
  const lines = steps.flatMap((step, i) => [
    ...actionLines(c, step, i),
    ...(isMisuse(step.before, step.action) ? [MISUSED] : []),
    ...stepReport(step),
  ]);
  const left = c.actions.length - steps.length;
  const rest = left === 0 ? [] : [`     ${counted(left, 'step')} after it skipped: the kernel has crashed`];
  return [head.join(' · '), '', ...functionLines(c), ...lines, ...rest];
}

const MISUSED = '       skipped: no client does that; the object is in use, or belongs to another client';

/** A broken law: what was expected and observed, and whether it is known. */
export function breachLines(
  { law, breach, known, behind }: BrokenLaw<KnownAttach>,
  { elsewhere }: JudgedFile,
): string[] {
  const { expected, observed } = rendered(breach.finding);
  const others = (elsewhere.get(law) ?? []).map(elsewhereText).join(' · ');
  return [
    `✗ ${law.name}, at step ${breach.at + 1}`,
    ...wrap(law.sentence, 76).map((line) => `  ${line}`),
    '',
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...labelled('known', knownText(known, behind)),
    ...(others === '' ? [] : labelled('elsewhere', others)),
    ...labelled('kernel', law.source),
  ];
}

function knownText(known: KnownAttach | undefined, behind: BrokenLaw<KnownAttach>['behind']): string {
  if (known !== undefined) return `${known.name}: ${known.sentence}`;
  if (behind === undefined) return 'no: not a listed breach';
  return `perhaps: since step ${behind.index + 1} the state is corrupted by a known breach (${behind.known.name})`;
}

function elsewhereText({ profile, is, lacks }: Elsewhere): string {
  switch (is) {
    case 'broken':
      return `${profile} breaks it as well`;
    case 'held':
      return `${profile} holds it`;
    case 'not applicable':
      return `in ${profile} it is not applicable`;
    case 'not checked':
      return `${profile} has no ${lacks}()`;
    default:
      return unreachable(is);
  }
}

function verdictLines(
  { case: c, broken, held }: JudgedSequence<KnownAttach>,
  planted: string | undefined,
): string[] {
  const fresh = broken.filter(({ known, behind }) => known === undefined && behind === undefined).length;
  if (broken.length === 0) {
    return held.length === 0
      ? [`? ${c.profile}: no law applies`]
      : [`✓ ${c.profile}: ${counted(held.length, 'law')} exercised, all held`];
  }
  const laws = `${counted(broken.length, 'law')} broken`;
  if (planted !== undefined && fresh > 0)
    return [`✗ ${c.profile}: the planted bug was found: ${planted}; ${laws}, ${held.length} held`];
  const isAllListed = broken.every(({ known }) => known !== undefined);
  const listed = isAllListed ? 'known' : 'known, or after a known one';
  const known = fresh === 0 ? listed : fresh === broken.length ? 'new' : `${fresh} new`;
  return [`✗ ${c.profile}: ${laws}, ${known}; ${held.length} held`];
}
