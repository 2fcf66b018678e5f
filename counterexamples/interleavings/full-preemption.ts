import { maySleep } from '../../checker/interleavings/calls.ts';
import { ImpossibleSetup } from '../../checker/interleavings/impossible-setup.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { profileNamed } from '../../model/core/profile.ts';

/** A schedule that was played. */
export interface PlayedHere {
  readonly schedule: Schedule;
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
}

/** A kernel that boots with `preempt=voluntary` cannot run this schedule; another one may break the law there. */
export function needsFullPreemption(here: PlayedHere): boolean {
  const { space, played } = here;
  if (profileNamed(space.scenario.profile).preemption !== 'full') return false;
  return played.some((move) => waitsForCpus(space, move)) ? divergesThere(here) : isPreempted(here);
}

/**
 * The kernels differ in what they preempt, and in one grace period: rcu_tasks_rude waits for a task that keeps its CPU.
 * Where nothing waits for it they take the same moves, up to one that there is only with full preemption.
 */
function waitsForCpus(space: Space, { after }: PlayedSchedule): boolean {
  if (after === undefined) return false;
  const clients = space.scenario.clients.map((_, i) => space.clientOf(after, i));
  return [...clients, ...space.worksOf(after)].some(({ waits }) => waits === 'rcu_tasks_rude');
}

/** A task is preempted where it does not reschedule by itself, or was before any actor begins. */
function isPreempted({ schedule: { scenario }, space, played }: PlayedHere): boolean {
  const first = space.initial();
  const begins = scenario.callers.some(
    ({ startsAt }, i) => startsAt?.condition === 'preempted' && !reschedules(space, first, i),
  );
  const isMove = ({ move, before }: PlayedSchedule) => {
    const unpacked = unpackMove(move);
    if (unpacked.who !== 'caller' || unpacked.does !== 'is preempted') return false;
    return !reschedules(space, before, unpacked.index);
  };
  return begins || played.some(isMove);
}

function reschedules(space: Space, state: PackedState, i: number): boolean {
  const caller = space.callerOf(state, i);
  return caller !== null && maySleep(space.runner, space.kernelOf(state), caller);
}

/** Plays it there. */
export function divergesThere({
  schedule: { scenario, runs, grain },
  space: { program },
}: PlayedHere): boolean {
  const voluntary = { ...scenario, profile: `${scenario.profile}, preemption = voluntary` };
  const options = { program, reduce: false, symmetric: false, ...(grain === undefined ? {} : { grain }) };
  try {
    return playRuns(new Space(voluntary, options), runs).diverged !== undefined;
  } catch (error) {
    // The scenario begins with a task that was preempted where such a kernel preempts none.
    if (error instanceof ImpossibleSetup) return true;
    throw error;
  }
}
