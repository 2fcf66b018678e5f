import type { Saved } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { printProgram, printSequenceFile } from '../../counterexamples/sequences/attach-trace.ts';
import { wrap } from '../../counterexamples/text.ts';
import type { KernelDifference } from '../../kernels/history/difference.ts';
import type { ShrunkDifference } from '../../kernels/loop/shrink.ts';

/** Where a history parted, in one line. */
export function placeOf({ step, aspect, fn }: KernelDifference): string {
  return `call ${step + 1}: ${aspect}${fn === '' ? '' : ` of ${fn}, examined afterwards`}`;
}

/** A difference: the calls with the kernel's answers, and both sides. */
export function differenceLines(
  kernel: string,
  { question, verdict, drawn, asked, isBounded }: ShrunkDifference,
): string[] {
  const { difference, answers } = verdict;
  const calls = printProgram(question.case, answers);
  const bound = isBounded ? `, stopped after ${asked} of them` : '';
  return [
    `✗ ${kernel} and the model differ at ${placeOf(difference)}`,
    `  ${question.case.actions.length} calls, shrunk from ${drawn} by ${asked} histories run${bound}`,
    '',
    ...calls.map((line) => `  ${line}`),
    '',
    ...side('kernel', difference.kernel),
    ...side('model', difference.model),
    ...(verdict.warnings.length > 0 ? ['', ...side('console', verdict.warnings)] : []),
  ];
}

const LABEL = 9;
const COLUMNS = 78;

function side(label: string, lines: readonly string[]): string[] {
  const shown = lines.length === 0 ? ['nothing'] : lines.flatMap((line) => wrap(line, COLUMNS - LABEL));
  return shown.map((line, i) => `  ${(i === 0 ? label : '').padEnd(LABEL)}${line}`);
}

/** The history as a trace, with the kernel's answers. */
export function savedDifference(
  kernel: string,
  name: string,
  { question, verdict }: ShrunkDifference,
): Saved {
  return {
    path: `${CORPUS}/kernel/${kernel}.${name}.trace`,
    text: printSequenceFile(question.case, verdict.answers),
  };
}

export function differenceJson({ question, verdict, drawn, asked, isBounded }: ShrunkDifference): object {
  const { difference, answers, warnings } = verdict;
  return {
    calls: printProgram(question.case, answers),
    drawn,
    asked,
    bounded: isBounded,
    step: difference.step + 1,
    aspect: difference.aspect,
    function: difference.fn,
    kernel: difference.kernel,
    model: difference.model,
    warnings,
  };
}
