import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import type { Replayed } from '../../counterexamples/trace-file.ts';
import { lastStepLine } from '../../counterexamples/trace-file.ts';
import { lawIn } from '../../counterexamples/trace-kind.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import type { NamedTrace } from '../line/read-trace.ts';

const LAWS: readonly RunCheck['rule'][] = [...IMAGE_LAWS, ...ATTACH_LAWS, ...HIT_LAWS, ...ALL_TASK_LAWS];

const REPLAYED = {
  name: 'attachcheck/saved-traces-replay',
  sentence: 'A saved trace is replayed step by step, with the answers that it has.',
};

/** The law of a saved trace, at its last step; one that is broken again fails, as the exit code has it. */
export function replayedSuite({ path, text }: NamedTrace, replayed: Replayed): CheckSuite {
  const law = lawIn(text);
  const { name, sentence } = LAWS.find((own) => own.name === law) ?? REPLAYED;
  const place = { file: path, line: lastStepLine(text) };
  const check = { name: law ?? 'replay', rule: { name, sentence }, place };
  return suiteOf({ name: path, counts: '1 trace' }, [{ ...check, ...outcomeOf(replayed) }]);
}

function outcomeOf(replayed: Replayed): Pick<RunCheck, 'outcome' | 'lines'> {
  switch (replayed.kind) {
    case 'same':
    case 'report changed':
      return { outcome: 'failed', lines: replayed.report.split('\n') };
    case 'holds':
      return { outcome: 'passed' };
    case 'diverged':
    case 'damaged':
      return { outcome: 'error', lines: [`${replayed.kind}: ${replayed.why}`] };
    default:
      return unreachable(replayed);
  }
}
