import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { last } from '../../model/core/present.ts';
import { otherKernels, profileNamed } from '../../model/core/profile.ts';
import type { BreachCause, OtherVerdict } from '../../properties/finding/why.ts';
import { causeElsewhere } from '../../properties/finding/why.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { CORPUS, knownTaskPath } from '../corpus-folder.ts';
import { pathOf } from '../images/describe.ts';
import { breachAtEnd } from './breach-at-end.ts';
import { partingOf } from './parting.ts';
import { spaceFor } from './space-for.ts';
import { printTaskReport } from './task-report.ts';
import type { TaskTrace } from './task-trace.ts';

/** The origin of a broken schedule. */
export interface TaskOrigin {
  readonly planted: TaskPlanted | undefined;
  /** The name of the listed breach that it is an example of. */
  readonly known: string | undefined;
  /** `breadth first, attach f1, detach f1`, or `by hand`. */
  readonly found: string;
  /** Whether other kernels break the law as well; undefined: they were not searched. */
  readonly others?: readonly OtherVerdict[] | undefined;
}

/** A broken schedule with its report, as printed and saved. */
export interface TaskCounterexample {
  readonly trace: TaskTrace;
  readonly breach: TaskBreach;
  /** Where it is or would be saved, below the corpus. */
  readonly path: string;
}

/** The result of playing a schedule again. */
export type TaskOutcome =
  | { readonly is: 'broken'; readonly counterexample: TaskCounterexample }
  | { readonly is: 'holds' }
  | { readonly is: 'diverged'; readonly why: string };

/** Plays a schedule without any search, and describes how it breaks a law. */
export function describeTask(schedule: Schedule, law: TaskLaw, origin: TaskOrigin): TaskOutcome {
  const { scenario, runs } = schedule;
  const space = spaceFor(scenario, origin.planted, schedule.grain);
  if (typeof space === 'string') return { is: 'diverged', why: space };
  const { played, diverged } = playRuns(space, runs);
  if (diverged !== undefined) return { is: 'diverged', why: diverged };
  const breach = breachAtEnd(space, law, played);
  if (breach === undefined) return { is: 'holds' };
  const { known, found } = origin;
  const path = taskPathOf(scenario, law, origin);
  const report = printTaskReport({
    schedule,
    space,
    played,
    breach,
    planted: origin.planted?.name,
    known,
    found,
    replay: `npm run check -- replay ${CORPUS}/${path}`,
    why: whyBroken(origin, { space, played }, schedule),
  });
  const others = origin.others === undefined ? {} : { others: origin.others };
  const trace = { schedule, law: law.name, planted: origin.planted?.name, known, found, ...others, report };
  return { is: 'broken', counterexample: { trace, breach, path } };
}

/** What makes the difference to the kernel without a planted bug, or to the others; undefined: none of them was run. */
function whyBroken(
  { planted, others }: TaskOrigin,
  here: Parameters<typeof partingOf>[0],
  { scenario, grain }: Schedule,
): BreachCause | undefined {
  const partingIn = (profile: string) => {
    const there = spaceFor({ ...scenario, profile }, undefined, grain);
    return typeof there === 'string' ? undefined : partingOf(here, there);
  };
  if (planted !== undefined) {
    const { sentence, sound } = planted;
    return { is: 'planted', sentence, parting: partingIn(sound ?? scenario.profile) };
  }
  if (others === undefined) return undefined;
  return causeElsewhere(others, (holding) => {
    const other = otherKernels(scenario.profile).find(({ kernel }) => kernel === holding);
    return other && partingIn(other.profile);
  });
}

/**
 * Where an interleaving is saved below the corpus. A known breach has a file for each kernel, by the name of the
 * kernel without overrides.
 */
export function taskPathOf(
  { profile }: Scenario,
  law: TaskLaw,
  { planted, known }: Pick<TaskOrigin, 'planted' | 'known'>,
): string {
  return known === undefined
    ? `task/${pathOf(last(law.name.split('/')), planted?.name)}`
    : knownTaskPath(known, profileNamed(profile).kernel);
}
