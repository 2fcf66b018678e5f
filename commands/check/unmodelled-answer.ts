import type { UnmodelledSequence } from '../../checker/sequences/unmodelled.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { partAnswer } from '../../counterexamples/run-part.ts';
import { printSequenceFile } from '../../counterexamples/sequences/attach-trace.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';

/** A search that has met something not modelled: no verdict, but the sequence is kept, and judges alike. */
export function unmodelledAnswer({ sequence, message, drawn }: UnmodelledSequence): Answer {
  const path = `${CORPUS}/not-modelled.calls`;
  const text = printSequenceFile(sequence, []);
  const length = counted(sequence.actions.length, 'call');
  return partAnswer(
    {
      mark: '✗',
      name: 'sequences',
      counts: `stopped: something is met that is not modelled`,
      kernels: [sequence.profile],
      reports: [
        wrap(`? not modelled: ${message}`, WIDTH).join('\n'),
        '',
        `  ${length}, shrunk from ${drawn}, in ${path}`,
        '',
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`.trimEnd()),
      ],
    },
    {
      json: { command: 'search', exit: EXIT.FAILED, error: message, sequence: text },
      exit: EXIT.FAILED,
      save: [{ path, text }],
      verdict: {
        breaches: 0,
        wrong: ['something that is not modelled was met'],
        known: [],
        open: [],
        next: { options: {} },
      },
    },
  );
}
