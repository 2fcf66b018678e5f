import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { missingCall } from '../../checker/why/missing-call.ts';
import { otherCalls } from '../../checker/why/other-call.ts';
import type { PlayedTrace } from '../../checker/why/refusal.ts';
import { playAll, refusalAt } from '../../checker/why/refusal.ts';
import { isAccepted, smallestUndo } from '../../checker/why/undo.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { siteName } from '../../counterexamples/sequences/sites.ts';
import { shellWord, WIDTH, wrap } from '../../counterexamples/text.ts';
import { printAction } from '../../model/action-text.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { item } from '../../model/core/present.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import type { AskedTrace } from './asked-trace.ts';
import { readAskedTrace } from './asked-trace.ts';
import type { Why } from './why-text.ts';
import { lookedText, placeOf, whyLines } from './why-text.ts';

/** The options of `why`, as the command line gives them. */
export interface WhyLine {
  readonly step?: string;
  readonly undo?: string;
}

/** Calls of an undo by default, and at most. */
const UNDO_CALLS = '3';
const UNDO_MOST = 6;

/**
 * The command `why`: the return site that refused a step of a trace, the values that its guard read, and the smallest
 * undo. Without an errno the first step that is refused. A file for all kernels is judged in each of them.
 */
export function whyRefused(errno: Errno | undefined, file: NamedTrace, line: WhyLine): Answer {
  const calls = undoCalls(line.undo);
  const trace = located(file.path, () => readAskedTrace(file.text));
  const program = plantedKernel(trace.planted);
  const runs = trace.cases.map((c) => ({ c, played: playAll(c, program) }));
  const found = runs.map(({ c, played }) => {
    located(file.path, () => requireSameAnswers(trace, played));
    return { c, played, refused: refusedStep(played, errno, line.step) };
  });
  const others = found.flatMap(({ c, refused }) =>
    typeof refused === 'string' ? [{ kernel: c.profile, why: refused }] : [],
  );
  if (others.length === found.length) throw new InputError(`${file.path}: ${noneText(others)}`);
  const step = line.step === undefined ? '' : ` --step ${line.step}`;
  const command = [
    'npm run check -- why',
    ...(errno === undefined ? [] : [errno]),
    shellWord(file.path),
  ].join(' ');
  const whys = found.flatMap(({ c, played, refused }) =>
    typeof refused === 'string'
      ? []
      : [{ ...whyAt(c, played, refused, program, calls), command: command + step }],
  );
  return answered(whys, others);
}

/** The number of `--undo`: calls of an undo at most. */
export function undoCalls(undo: string | undefined): number {
  return wholeNumber(undo ?? UNDO_CALLS, '--undo', UNDO_MOST);
}

/** A kernel in which no step has this refusal. */
interface NotRefused {
  readonly kernel: string;
  readonly why: string;
}

/** The sentences of several kernels, grouped where they are alike. */
function noneText(others: readonly NotRefused[]): string {
  const [first, ...rest] = [...new Set(others.map(({ why }) => why))];
  if (rest.length === 0) return first ?? '';
  return others.map(({ kernel, why }) => `in ${kernel} ${why}`).join('; ');
}

function whyAt(
  c: AttachCase,
  played: readonly PlayedTrace[],
  index: number,
  program: KernelProgram,
  calls: number,
): Omit<Why, 'command'> {
  const refusal = refusalAt(played, index, program);
  const history = c.actions.slice(0, index);
  const isOrdered = isAccepted({ ...copyKernel(refusal.before), fault: null }, refusal.action, program);
  const undo = isOrdered
    ? { found: [], calls, tried: 0, isWhole: true }
    : smallestUndo(refusal, history, program, calls);
  if (undo.found !== undefined)
    return { case: c, played, refusal, isOrdered, undo, missing: undefined, otherCalls: [] };
  return {
    case: c,
    played,
    refusal,
    isOrdered,
    undo,
    missing: missingCall(refusal, history, program),
    otherCalls: otherCalls(refusal, c.actions, program),
  };
}

/** If a file has answers, they have to be right. */
function requireSameAnswers({ answers }: AskedTrace, played: readonly PlayedTrace[]): void {
  played.forEach(({ action, outcome }, i) => {
    const answer = answerOf(action, outcome);
    if ((answers[i] || answer) !== answer)
      throw new InputError(`step ${i + 1} answers ${answer || 'nothing'}, but the file says ${answers[i]}`);
  });
}

/** The first step with this answer, or the one that is named; or why there is none. */
function refusedStep(
  played: readonly PlayedTrace[],
  errno: Errno | undefined,
  step: string | undefined,
): number | string {
  const isSo = ({ outcome }: PlayedTrace) =>
    errno === undefined ? outcome.errno !== 0 : outcome.errno === errno;
  if (step !== undefined)
    return stepNamed(played, isSo, errno, wholeNumber(step, '--step', played.length, 1));
  const index = played.findIndex(isSo);
  if (index >= 0) return index;
  const refused = played.flatMap(({ outcome }, i) =>
    outcome.errno === 0 ? [] : [`step ${i + 1} ${outcome.errno}`],
  );
  const rest = refused.length === 0 ? 'all of them answer 0' : refused.join(', ');
  return errno === undefined ? `no step is refused; ${rest}` : `no step answers ${errno}; ${rest}`;
}

function stepNamed(
  played: readonly PlayedTrace[],
  isSo: (trace: PlayedTrace) => boolean,
  errno: Errno | undefined,
  step: number,
): number | string {
  const trace = item(played, step - 1);
  const not = errno === undefined ? 'and is not refused' : `not ${errno}`;
  return isSo(trace) ? step - 1 : `step ${step} answers ${trace.outcome.errno || '0'}, ${not}`;
}

function answered(whys: readonly Why[], others: readonly NotRefused[]): Answer {
  const lines = [
    ...whys.flatMap((why, i) => [...(i === 0 ? [] : ['']), ...whyLines(why)]),
    ...(others.length === 0 ? [] : ['']),
    ...others.flatMap(({ kernel, why }) => wrap(`kernel ${kernel}: ${why}`, WIDTH)),
  ];
  const json = { command: 'why', exit: EXIT.HELD, kernels: whys.map(whyJson), others };
  return { text: lines.join('\n'), json, exit: EXIT.HELD, save: [] };
}

function whyJson(why: Why) {
  const { case: c, refusal, undo, isOrdered } = why;
  const { at: index, action, errno, site, passedOn } = refusal;
  return {
    kernel: c.profile,
    step: index + 1,
    call: printAction(action, c),
    errno,
    site: site === undefined ? null : siteName(site, errno),
    place: site === undefined ? null : placeOf(c.profile, site),
    passedOn: passedOn.map((taken) => siteName(taken, errno)),
    read: site?.looked.map(lookedText) ?? [],
    ordered: isOrdered,
    undo: undo.found?.map((action) => printAction(action, c)) ?? null,
    tried: undo.tried,
    undoMost: undo.calls,
    whole: undo.isWhole,
    first: why.missing === undefined ? null : printAction(why.missing, c),
    otherCalls: why.otherCalls.map((call) => ({
      parameter: call.parameter,
      call: printAction(call.action, c),
    })),
  };
}
