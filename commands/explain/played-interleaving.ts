import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { readForKernels } from '../../counterexamples/for-all-kernels.ts';
import { breachAtEnd } from '../../counterexamples/interleavings/breach-at-end.ts';
import { spaceFor } from '../../counterexamples/interleavings/space-for.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { InputError } from '../../model/core/input-error.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';

/** An interleaving of a file, played move by move. */
export interface PlayedInterleaving {
  readonly schedule: Schedule;
  /** The planted bug and the law that the file names. */
  readonly planted: string | undefined;
  readonly law: string | undefined;
  /** Undefined: the setup is not possible. */
  readonly space: Space | undefined;
  readonly played: readonly PlayedSchedule[];
  /** Why the run differs from the one in the file; undefined: it does not. */
  readonly diverged: string | undefined;
}

/** Reads the schedule of a file. Throws an InputError for a file without one, or for all kernels. */
export function readInterleaving(text: string): Pick<PlayedInterleaving, 'schedule' | 'planted' | 'law'> {
  const { isForAll, read } = readForKernels(text, parseScenario);
  const { scenario, runs, grain, planted, law } = read;
  if (runs.length === 0)
    throw new InputError(
      'it is a scenario without a schedule: npm run check -- explore FILE searches all of them, and explain takes the file that it saves for a breach',
    );
  if (isForAll) throw new InputError('a schedule needs one kernel: name it instead of "all"');
  const schedule: Schedule = { scenario, runs, ...(grain === undefined ? {} : { grain }) };
  return { schedule, planted, law };
}

/** Plays it. */
export function playInterleaving(text: string): PlayedInterleaving {
  const own = readInterleaving(text);
  const { scenario, runs, grain } = own.schedule;
  const space = spaceFor(scenario, plantedIn(TASK_PLANTED, own.planted), grain);
  if (typeof space === 'string') return { ...own, space: undefined, played: [], diverged: space };
  return { ...own, space, ...playRuns(space, runs) };
}

/** The breach, at the end of what was played, of the law that the file names. */
export function namedBreach({ space, law: name, played }: PlayedInterleaving): TaskBreach | undefined {
  const law = ALL_TASK_LAWS.find((law) => law.name === name);
  return law === undefined || space === undefined ? undefined : breachAtEnd(space, law, played);
}
