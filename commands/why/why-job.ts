import { missingCall } from '../../checker/why/missing-call.ts';
import { otherCalls } from '../../checker/why/other-call.ts';
import type { PlayedTrace } from '../../checker/why/refusal.ts';
import { playAll, refusalAt } from '../../checker/why/refusal.ts';
import { isAccepted, smallestUndo } from '../../checker/why/undo.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { siteName } from '../../counterexamples/sequences/sites.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { printAction } from '../../model/action-text.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import type { NamedTrace } from '../replay/replay.ts';
import type { AskedTrace } from './asked-trace.ts';
import { readAskedTrace } from './asked-trace.ts';
import type { Why } from './why-text.ts';
import { lookedText, placeOf, whyLines } from './why-text.ts';

/** The options of `why`, as the command line gives them. */
export interface WhyLine {
  readonly step?: string;
  readonly undo?: string;
}

/** Calls of an undo when nothing is said, and at the most. */
const UNDO_CALLS = '3';
const UNDO_MOST = 6;

/** The command `why`: the return site that refused a step of a trace, what its guard saw, and the smallest undo. */
export function whyRefused(errno: Errno, file: NamedTrace, line: WhyLine): Answer {
  const calls = wholeNumber(line.undo ?? UNDO_CALLS, '--undo', UNDO_MOST);
  const trace = located(file.path, () => readAskedTrace(file.text));
  const program = plantedKernel(trace.planted);
  const played = playAll(trace.case, program);
  located(file.path, () => requireSameAnswers(trace, played));
  const index = located(file.path, () => stepRefused(played, errno, line.step));
  const step = line.step === undefined ? '' : ` --step ${line.step}`;
  return answered({
    ...whyAt(trace, played, index, program, calls),
    command: `npm run check -- why ${errno} ${shellWord(file.path)}${step}`,
  });
}

function whyAt(
  { case: c }: AskedTrace,
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

/** A file may say what each step answers; then it has to be right. */
function requireSameAnswers({ answers }: AskedTrace, played: readonly PlayedTrace[]): void {
  played.forEach(({ action, outcome }, i) => {
    const answer = answerOf(action, outcome);
    if (answers[i] !== '' && answers[i] !== answer)
      throw new InputError(`step ${i + 1} answers ${answer || 'nothing'}, and the file says ${answers[i]}`);
  });
}

/** The first step that answers so, or the one that is named. */
function stepRefused(played: readonly PlayedTrace[], errno: string, step: string | undefined): number {
  if (step !== undefined) return stepNamed(played, errno, wholeNumber(step, '--step', played.length));
  const index = played.findIndex(({ outcome }) => outcome.errno === errno);
  if (index >= 0) return index;
  const refused = played.flatMap(({ outcome }, i) =>
    outcome.errno === 0 ? [] : [`step ${i + 1} ${outcome.errno}`],
  );
  throw new InputError(
    `no step answers ${errno}; ${refused.length === 0 ? 'all of them answer 0' : refused.join(', ')}`,
  );
}

function stepNamed(played: readonly PlayedTrace[], errno: string, step: number): number {
  const trace = played[step - 1];
  if (trace === undefined) throw new InputError(`--step ${step} is no step; the first is 1`);
  if (trace.outcome.errno !== errno)
    throw new InputError(`step ${step} answers ${trace.outcome.errno || '0'}, not ${errno}`);
  return step - 1;
}

function answered(why: Why): Answer {
  const { case: c, refusal, undo, isOrdered } = why;
  const { at: index, action, errno, site, passedOn } = refusal;
  const json = {
    command: 'why',
    exit: EXIT.HELD,
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
  return { text: whyLines(why).join('\n'), json, exit: EXIT.HELD, save: [] };
}
