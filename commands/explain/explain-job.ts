import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { explainCase } from './explain-case.ts';
import { explainInterleaving } from './explain-interleaving.ts';
import { explainSequence } from './explain-sequence.ts';
import type { Explained } from './explained.ts';

/** The command `explain`: the run of a trace, step by step; `step` chooses one of them. */
export function explainFile({ path, text }: NamedTrace, step: string | undefined): Answer {
  const all = located(path, () => explain(text)).map((own) => chosen(own, step));
  const exit = all.some(({ diverged }) => diverged !== undefined) ? EXIT.FAILED : EXIT.HELD;
  const lines = all.flatMap((own, i) => [...(i === 0 ? [] : ['']), ...explainedLines(own, path)]);
  const json = { command: 'explain', exit, file: path, kernels: all.map(explainedJson) };
  return { text: lines.join('\n'), json, exit, save: [] };
}

function chosen(explained: Explained, step: string | undefined): Explained {
  const { steps } = explained;
  if (step === undefined) return explained;
  const number = wholeNumber(step, '--step', steps.length, 1);
  return { ...explained, steps: steps.filter((own) => own.number === number) };
}

function explainedLines({ head, steps, diverged }: Explained, path: string): string[] {
  return [
    ...head,
    ...steps.flatMap(({ lines: own }) => own),
    ...(diverged === undefined ? [] : ['', `? ${path}`, `    diverged: ${diverged}`]),
  ];
}

function explainedJson({ kernel, diverged, steps }: Explained) {
  return { kernel, diverged: diverged ?? null, steps };
}

/** One run, or for a file for all kernels one in each. */
function explain(text: string): readonly Explained[] {
  const kind = traceKind(text);
  switch (kind) {
    case 'history':
      throw new InputError('it is a history in two kernels: use npm run check -- replay');
    case 'interleaving':
      return [explainInterleaving(text)];
    case 'image':
      return [explainCase(text)];
    case 'sequence':
      return explainSequence(text);
    default:
      return unreachable(kind);
  }
}
