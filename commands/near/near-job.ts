import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { sequenceJob } from '../check/attach-job.ts';
import { randomJob } from '../explore/random-answer.ts';
import type { CommandWork } from '../line/command-line.ts';
import { readTrace } from '../line/read-trace.ts';
import type { NearLine } from './near-line.ts';
import { nearSchedules } from './near-scenarios.ts';
import { nearSearch } from './near-sequences.ts';

/** Sequences near those of a file or of listed bugs, or scenarios; `given`: options that were written. */
export function nearJob(path: string | undefined, line: NearLine, given: Partial<NearLine>): CommandWork {
  const trace = path === undefined ? undefined : readTrace(path);
  const kind = trace && traceKind(trace.text);
  const ofSequences = given.sequences !== undefined;
  const option = (['scenarios', 'schedules'] as const).find((name) => given[name] !== undefined);
  if (kind === 'interleaving' && ofSequences)
    throw new InputError(`--sequences is for a sequence of calls; ${path} is a scenario`);
  if (kind !== undefined && kind !== 'interleaving' && option !== undefined)
    throw new InputError(`--${option} is for a scenario; ${path} is none`);
  if (ofSequences && option !== undefined)
    throw new InputError(`--sequences draws sequences, and --${option} is for scenarios`);
  return kind === 'interleaving' || option !== undefined
    ? randomJob(nearSchedules(trace, line))
    : sequenceJob(nearSearch(trace, line));
}
