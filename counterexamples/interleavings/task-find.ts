import { concretePath } from '../../checker/interleavings/concrete.ts';
import type { IsSought, Nearest } from '../../checker/interleavings/nearest-breach.ts';
import { nearestBreach } from '../../checker/interleavings/nearest-breach.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { runsOf } from '../../checker/interleavings/schedule.ts';
import { shortestWay } from '../../checker/interleavings/shortest-way.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import type { Answer } from '../answer.ts';
import { CORPUS } from '../corpus-folder.ts';
import { elsewhereOf } from './elsewhere.ts';
import { spaceOptions } from './space-for.ts';
import type { TaskCounterexample, TaskOrigin } from './task-describe.ts';
import { describeTask } from './task-describe.ts';
import { printFoundFirst } from './task-report.ts';
import { printTaskTrace } from './task-trace.ts';

/** A path of a search, in names that stay the same throughout. */
export function scheduleOf(space: Space, path: readonly number[], grain: Schedule['grain']): Schedule {
  const { scenario } = space;
  const runs = runsOf(concretePath(space, path));
  return { scenario, runs, ...(grain === undefined ? {} : { grain }) };
}

/** The subject of a search: one law in one scenario, in the kernel as it is or with a planted bug. */
export interface Sought {
  readonly scenario: Scenario;
  readonly law: TaskLaw;
  readonly planted: TaskPlanted | undefined;
  /** The name under which the breach is listed. */
  readonly known: string | undefined;
  /** Whether a breach of the law is the one; without it, any is. */
  readonly isSought?: IsSought;
  /** How finely everything is cut. */
  readonly grain: Schedule['grain'];
}

/** Its result, and the nearest breach with its report. */
export interface Discovery extends Nearest {
  readonly space: Space;
  readonly counterexample: TaskCounterexample | undefined;
}

/** Searches all states of a scenario for the nearest breach of a law, and describes it. */
export function findTask({ scenario, law, planted, known, isSought, grain }: Sought): Discovery {
  const space = new Space(scenario, spaceOptions(planted, grain));
  const nearest = nearestBreach(law, space, undefined, isSought);
  if (nearest.breach === undefined) return { ...nearest, space, counterexample: undefined };
  const { breach } = nearest;
  const { proved, ...way } = shortestWay(space, { ...nearest, breach }, isSought);
  const schedule = scheduleOf(way.space, [...way.path, ...way.cycle], grain);
  const found = printFoundFirst({ proved, isFirst: nearest.isFirst });
  return { ...nearest, ...way, counterexample: described(schedule, law, { planted, known, found }) };
}

/** The breach of a search occurs again when it is played again. */
export function described(schedule: Schedule, law: TaskLaw, origin: TaskOrigin): TaskCounterexample {
  const others = origin.planted === undefined ? { others: elsewhereOf(schedule, law) } : {};
  const outcome = describeTask(schedule, law, { ...origin, ...others });
  if (outcome.is === 'broken') return outcome.counterexample;
  const why = outcome.is === 'diverged' ? `: ${outcome.why}` : '';
  throw new Error(`the schedule of ${origin.found} does not break ${law.name} again${why}`);
}

/** The saved file of a search: the trace of its finding. */
export function savedTasks(found: TaskCounterexample | undefined): Answer['save'] {
  return found === undefined ? [] : [{ path: `${CORPUS}/${found.path}`, text: printTaskTrace(found.trace) }];
}
