import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { counted } from '../../counterexamples/text.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { sayable } from '../../kernels/history/cast-history.ts';
import type { HistoryVerdict } from '../../kernels/history/history-verdict.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { placeOf } from './difference-report.ts';

/** A trace that is run. */
export interface TraceText {
  readonly path: string;
  readonly text: string;
}

/** What came of a trace. */
type Result =
  | { readonly is: 'not run'; readonly why: string }
  | {
      readonly is: 'asked';
      readonly verdict: HistoryVerdict;
      readonly calls: number;
      readonly isCut: boolean;
    };

/** `kernel 6.12 TRACE...`: runs saved sequences, each in a kernel as its boot left it. */
export function* runTraces(
  kernel: RecordedVersion,
  traces: readonly TraceText[],
  tested: RunsHistories,
): Job {
  const results: { readonly path: string; readonly result: Result }[] = [];
  try {
    for (const { path, text } of traces) {
      const result = resultOf(kernel, text, tested);
      results.push({ path, result });
      yield { text: linesOf(path, result).join('\n'), save: [], goesOn: true };
      if (yield { part: `traces on ${kernel}`, done: results.length, of: traces.length, unit: 'trace' })
        break;
    }
  } finally {
    tested.close();
  }
  return answerOf(kernel, results, traces.length);
}

/** A trace of another kernel is run as well, and compared with the model of this one. */
function resultOf(kernel: RecordedVersion, text: string, tested: RunsHistories): Result {
  if (traceKind(text) !== 'sequence') return { is: 'not run', why: 'it is no sequence of calls' };
  const { case: saved } = parseSequence(text);
  if (saved.profile !== kernel) return { is: 'not run', why: `it is of ${saved.profile}` };
  const { question, leftOut, dies } = sayable(saved);
  const [why] = leftOut;
  if (why !== undefined) return { is: 'not run', why };
  if (question === undefined) return { is: 'not run', why: 'the model crashes in its first call' };
  return { is: 'asked', verdict: tested.run(question), calls: question.case.actions.length, isCut: dies };
}

function linesOf(path: string, result: Result): string[] {
  switch (result.is) {
    case 'not run':
      return [`  ${path}`, `    not run: ${result.why}`];
    case 'asked': {
      const { verdict, calls, isCut } = result;
      const { difference } = verdict;
      const cut = isCut ? ', without the last, in which the model crashes' : '';
      if (difference === undefined)
        return [`✓ ${path}`, `    ${counted(calls, 'call')}${cut}: no difference`];
      return [
        `✗ ${path}`,
        `    ${placeOf(difference)}`,
        `    kernel  ${difference.kernel.join('; ')}`,
        `    model   ${difference.model.join('; ')}`,
      ];
    }
    default:
      return unreachable(result);
  }
}

function answerOf(
  kernel: RecordedVersion,
  results: readonly { readonly path: string; readonly result: Result }[],
  all: number,
): Answer {
  const asked = results.filter(({ result }) => result.is === 'asked');
  const differing = asked.filter(
    ({ result }) => result.is === 'asked' && result.verdict.difference !== undefined,
  );
  const exit = differing.length > 0 ? EXIT.BROKEN : results.length < all ? EXIT.INCONCLUSIVE : EXIT.HELD;
  return {
    text: `\n${kernel}: ${asked.length} of ${counted(all, 'trace')} run, ${differing.length} differ`,
    json: {
      command: 'kernel',
      exit,
      kernel,
      files: results.map(({ path, result }) => ({
        path,
        ...(result.is === 'asked'
          ? {
              asked: true,
              calls: result.calls,
              answers: result.verdict.answers,
              difference: result.verdict.difference ?? null,
              warnings: result.verdict.warnings,
            }
          : { asked: false, why: result.why }),
      })),
    },
    exit,
    save: [],
  };
}
