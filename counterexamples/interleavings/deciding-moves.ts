import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule, ScheduleTurn } from '../../checker/interleavings/play.ts';
import { playTurn } from '../../checker/interleavings/play.ts';
import { FETCHES, RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { item, last } from '../../model/core/present.ts';
import { breachAtEnd } from './breach-at-end.ts';

/** A schedule that breaks a law. */
export interface BrokenSchedule {
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
  readonly breach: TaskBreach;
}

/**
 * The moves that decide: each separates the schedule from one that holds. A move of a run decides if the breach
 * disappears when the rest of the run, from this move on, is delayed until the actor's next run; without a next run it is
 * dropped. Each run has at most one, the last; the last move of the schedule always decides.
 */
export function decidingMoves(broken: BrokenSchedule): ReadonlySet<PlayedSchedule> {
  const { played } = broken;
  const runs = runsIn(played);
  const deciding = runs.slice(0, -1).flatMap((run, i) => {
    const next = runs.slice(i + 1).find(({ actor }) => actor === run.actor);
    const decides = (from: number) => !isStillBroken(broken, { from, to: run.to, until: next?.from });
    return lastThat(decides, run).map((index) => item(played, index));
  });
  return new Set([...deciding, last(played)]);
}

/** Moves of one actor in a row: indices of the first one, and of the first one after them. */
interface ActorRun {
  readonly actor: string;
  readonly from: number;
  to: number;
}

/** The runs of a schedule, whatever their turns. */
export function runsIn(played: readonly PlayedSchedule[]): readonly Readonly<ActorRun>[] {
  const runs: ActorRun[] = [];
  for (const [i, { turn }] of played.entries()) {
    const run = runs.at(-1);
    if (run?.actor === turn.actor) run.to = i + 1;
    else runs.push({ actor: turn.actor, from: i, to: i + 1 });
  }
  return runs;
}

/** Nearly always it is the last of the run; a longer rest decides where a shorter one does. */
function lastThat(decides: (index: number) => boolean, { from, to }: ActorRun): number[] {
  if (decides(to - 1)) return [to - 1];
  if (from === to - 1 || !decides(from)) return [];
  let [yes, no] = [from, to - 1];
  while (no - yes > 1) {
    const middle = (yes + no) >> 1;
    if (decides(middle)) yes = middle;
    else no = middle;
  }
  return [yes];
}

/** A part of a run that is delayed; `until` undefined: it is dropped. */
interface Delay {
  readonly from: number;
  readonly to: number;
  readonly until: number | undefined;
}

function isStillBroken({ space, played, breach }: BrokenSchedule, { from, to, until }: Delay): boolean {
  const delayed = until === undefined ? [] : played.slice(from, to);
  const others = played.slice(to, until);
  const rest = until === undefined ? [] : played.slice(until);
  const turns = [...others, ...delayed, ...rest].map(({ turn }) => turn);
  const made = playedAgain(space, item(played, from).before, turns);
  if (made === undefined) return false;
  return (
    breachAtEnd(space, breach.law, [...played.slice(0, from), ...made])?.finding.is === breach.finding.is
  );
}

/** Without a text poke in progress a task has no choice of what it fetches. */
function playedAgain(
  space: Space,
  from: PackedState,
  turns: readonly ScheduleTurn[],
): PlayedSchedule[] | undefined {
  const made: PlayedSchedule[] = [];
  let state: PackedState | undefined = from;
  for (const turn of turns) {
    if (state === undefined) return undefined;
    const fetches = turn.does.startsWith(FETCHES) ? { ...turn, does: RUNS } : undefined;
    const move: PlayedSchedule | undefined =
      playTurn(space, state, turn) ?? (fetches && playTurn(space, state, fetches));
    if (move === undefined) return undefined;
    made.push(move);
    state = move.after;
  }
  return made;
}
