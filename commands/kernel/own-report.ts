import type { Saved } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { headLines } from '../../counterexamples/report-frame.ts';
import { printProgram, printSequenceFile } from '../../counterexamples/sequences/attach-trace.ts';
import { commandLines, counted, labelled, shellWord, wrap } from '../../counterexamples/text.ts';
import { saidOfObserved } from '../../kernels/judge/finding.ts';
import type { JudgedBreach } from '../../kernels/judge/judge-history.ts';
import { shardText } from '../shard/run-shard.ts';
import type { OwnRun, ShrunkBreach } from './judge-own.ts';
import type { OwnCounts, OwnDifference } from './own-counts.ts';

/** A breach of a user's kernel: the law, the calls with its answers, what was expected and what was seen. */
export function breachLines(run: OwnRun, found: ShrunkBreach): string[] {
  const { question, verdict, drawn, asked, isBounded } = found;
  const { law, finding } = verdict.breach;
  const { expected, observed } = saidOfObserved(finding);
  const calls = question.case.actions.length;
  const shrunk = asked === 0 ? '' : `, shrunk from ${drawn} by ${asked} histories run`;
  const bound = isBounded ? ', stopped after these' : '';
  const where = `${counted(calls, 'call')}${shrunk}${bound} · kernel ${run.kernel.release}`;
  return [
    ...headLines(law, where),
    ...printProgram(question.case, verdict.answers).map((line) => `  ${line}`),
    '',
    ...labelled('shows', placeOf(verdict.breach, calls)),
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...labelled('model', besideText(run, found)),
    '',
    ...labelled('kernel', law.source),
    ...commandLines('  again      ', `${commandOf(run)} ${shellWord(traceOf(run, found))}`),
  ];
}

function placeOf({ step, look }: JudgedBreach, calls: number): string {
  if (step >= calls) return 'after every client was detached';
  const after = `call ${step + 1}`;
  return look === undefined ? `at ${after}` : `in ${look.fn.name}, examined after ${after}`;
}

function besideText({ profile }: OwnRun, { verdict: { breach, difference } }: ShrunkBreach): string {
  if (breach.finding.is === 'left-patched') return `${profile} answers each call in the same way`;
  if (breach.model.agrees && breach.finding.is === 'kernel-lost')
    return `${profile} answers each call in the same way, and continues`;
  if (breach.model.agrees) return `${profile} shows the same answers, and no listed breach`;
  if (difference === undefined) return `${profile} continues`;
  const { aspect, model } = difference;
  return `${profile} differs in call ${difference.step + 1}, ${aspect}: ${model.join('; ') || 'nothing'}`;
}

/** The file that the history is saved in. */
function traceOf({ kernel, seed }: OwnRun, { verdict }: ShrunkBreach): string {
  return `${CORPUS}/kernel/${kernel.release}.${verdict.breach.law.name.split('/').at(-1)}.seed-${seed}.trace`;
}

/** The history as a trace, with the kernel's answers. */
export function savedBreach(run: OwnRun, found: ShrunkBreach): Saved {
  return {
    path: traceOf(run, found),
    text: printSequenceFile(found.question.case, found.verdict.answers),
  };
}

export function breachJson({ question, verdict, drawn, asked, isBounded }: ShrunkBreach): object {
  const { breach, answers } = verdict;
  const { expected, observed } = saidOfObserved(breach.finding);
  return {
    law: breach.law.name,
    calls: printProgram(question.case, answers),
    step: breach.step + 1,
    function: breach.look?.fn.name ?? '',
    expected,
    observed,
    modelAgrees: breach.model.agrees,
    drawn,
    asked,
    bounded: isBounded,
  };
}

interface Ending {
  readonly boots: number;
  readonly next: number;
  readonly isHeld: boolean;
}

/** Differences that are printed. */
const DIFFERENCES_MOST = 12;

/** The counts of a run, the listed breaches that were met, and where the nearest profile answers otherwise. */
export function summaryLines(run: OwnRun, counts: OwnCounts, { boots, next, isHeld }: Ending): string[] {
  const { runs, profile, kernel } = run;
  const { histories, calls, looks, known, differences } = counts;
  const bound = `${counted(histories, 'history')}, ${counted(calls, 'call')}, ${counted(looks, 'look')}`;
  const listed = [...known].map(([name, n]) => `${name} (${n})`).join(', ');
  const more = differences.length - DIFFERENCES_MOST;
  return [
    ...(isHeld
      ? [
          next < runs ? `? ${kernel.release}: stopped` : `✓ ${kernel.release}: held within this bound`,
          `  ${bound}`,
        ]
      : [`  run        ${bound}`]),
    ...(listed === '' ? [] : labelled('known', listed)),
    ...(counts.unjudgedEnds === 0
      ? []
      : labelled(
          'not judged',
          `the ends of ${counted(counts.unjudgedEnds, 'history')}: detaching everything warned`,
        )),
    ...labelled('boots', String(boots)),
    ...leftOutLines(counts),
    '',
    differences.length === 0
      ? `  no answer differs from ${profile}`
      : `  differs from ${profile} in ${counted(differences.length, 'answer')}; no breach by itself:`,
    ...differences.slice(0, DIFFERENCES_MOST).flatMap(differenceLines),
    ...(more > 0 ? [`    and ${more} more (--json)`] : []),
    ...(next < runs ? ['', `  resume   ${commandOf({ ...run, from: next })} ${drawnOf(run, next)}`] : []),
  ];
}

function leftOutLines({ leftOut, drawnCalls }: OwnCounts): string[] {
  const reasons = leftOut.sorted;
  if (reasons.length === 0) return [];
  const all = reasons.reduce((sum, [, n]) => sum + n, 0);
  const text = reasons.map(([why, n]) => `${why} (${n})`).join('; ');
  return labelled('left out', `${all} of ${drawnCalls} drawn calls: ${text}`);
}

function differenceLines({
  history,
  step,
  action,
  fn,
  aspect,
  kernel,
  model,
  count,
}: OwnDifference): string[] {
  const place = `history ${history}, call ${step + 1}${fn === '' ? '' : `, ${fn} afterwards`}`;
  const often = count > 1 ? ` (${count} histories)` : '';
  const side = (lines: readonly string[]) => lines.join('; ') || 'nothing';
  return [
    ...wrap(`${action}: ${aspect}${often}`, 74).map((line, i) => `    ${i === 0 ? '' : '  '}${line}`),
    `      ${place}`,
    ...wrap(`kernel ${side(kernel)}`, 72).map((line) => `      ${line}`),
    ...wrap(`model  ${side(model)}`, 72).map((line) => `      ${line}`),
  ];
}

function commandOf({ named, profile, scope }: OwnRun): string {
  const own =
    'tree' in named
      ? `--tree ${shellWord(named.tree)}`
      : `--image ${shellWord(named.image)} --headers ${shellWord(named.headers)}`;
  const traced = scope === 'all functions' ? ' --trace-all' : '';
  return `npm run check -- kernel ${own} --profile ${shellWord(profile)}${traced}`;
}

function drawnOf({ runs, seed, shard, near }: OwnRun, from: number): string {
  const part = shard.of > 1 ? ` --shard ${shardText(shard)}` : '';
  return `${near ? '--near ' : ''}--runs ${runs} --seed ${seed} --from ${from}${part}`;
}
