import type { BrokenLaw, JudgedSequence } from '../../checker/sequences/judge-sequence.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import { actionLine, functionLines, stepReport } from '../../counterexamples/sequences/attach-report.ts';
import { counted, labelled, wrap } from '../../counterexamples/text.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { isMisuse } from '../../model/misuse.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Elsewhere, JudgedFile } from './judge.ts';

/** The steps with what they changed, each breach, and the verdict in the last line. */
export function judgedLines(judged: JudgedFile): string[] {
  const { diverged } = judged;
  const lines = judged.judged.flatMap((own) => [
    ...stepsLines(own, judged.planted),
    ...own.broken.flatMap((broken) => ['', ...breachLines(broken, judged)]),
    '',
    ...verdictLines(own),
  ]);
  return diverged === undefined ? lines : [...lines, `? it is not as the file says: ${diverged}`];
}

function stepsLines({ case: c, steps }: JudgedSequence<KnownAttach>, planted: string | undefined): string[] {
  const head = [`kernel ${c.profile}`, ...(planted === undefined ? [] : [`planted bug: ${planted}`])];
  const lines = steps.flatMap((step, i) => [
    actionLine(c, step, i),
    ...(isMisuse(step.before, step.action) ? [NOBODY] : []),
    ...stepReport(step),
  ]);
  const left = c.actions.length - steps.length;
  const rest = left === 0 ? [] : [`     ${counted(left, 'step')} behind it not done: the kernel is dead`];
  return [head.join(' · '), '', ...functionLines(c), ...lines, ...rest];
}

const NOBODY = '       not tried: no client does that, for the object is not its own or in use';

function breachLines({ law, breach, known }: BrokenLaw<KnownAttach>, { elsewhere }: JudgedFile): string[] {
  const { expected, observed } = rendered(breach.finding);
  const others = (elsewhere.get(law) ?? []).map(elsewhereText).join(' · ');
  return [
    `✗ ${law.name}, at step ${breach.at + 1}`,
    ...wrap(law.sentence, 76).map((line) => `  ${line}`),
    '',
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...(known === undefined
      ? labelled('known', 'no: it is not among the known breaches')
      : labelled('known', `${known.name}: ${known.sentence}`)),
    ...(others === '' ? [] : labelled('elsewhere', others)),
    ...labelled('kernel', law.source),
  ];
}

function elsewhereText({ profile, is, lacks }: Elsewhere): string {
  switch (is) {
    case 'broken':
      return `${profile} breaks it, too`;
    case 'held':
      return `${profile} holds it`;
    case 'no say':
      return `in ${profile} it has no say`;
    case 'not asked':
      return `${profile} has no ${lacks}()`;
    default:
      return unreachable(is);
  }
}

function verdictLines({ case: c, broken, held }: JudgedSequence<KnownAttach>): string[] {
  const fresh = broken.filter(({ known }) => known === undefined).length;
  if (broken.length === 0) {
    return held.length === 0
      ? [`? ${c.profile}: no law has anything to say of this`]
      : [`✓ ${c.profile}: ${counted(held.length, 'law')} put to the test, all held`];
  }
  const known =
    fresh === 0 ? 'known' : fresh === broken.length ? 'not known so far' : `${fresh} not known so far`;
  return [`✗ ${c.profile}: ${counted(broken.length, 'law')} broken, ${known}; ${held.length} held`];
}
