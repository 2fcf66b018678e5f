import { item, last } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { actorOf, fetchesOf, placeAfter } from './actors.ts';
import type { Emit, TaskEvent } from './event.ts';
import type { Move } from './move.ts';
import { unpackMove } from './move.ts';
import { FETCHES, printRun, RUNS, type Run, turnsOf } from './schedule.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';

/** One move in words: the actor, and the action. */
export interface ScheduleTurn {
  readonly actor: string;
  /** `runs`, `runs on cpu 0`, `fetches int3`, `sleeps`, `is preempted`. */
  readonly does: string;
}

/** A move that was made. */
export interface PlayedSchedule {
  readonly turn: ScheduleTurn;
  readonly move: number;
  readonly before: PackedState;
  /** Undefined: the kernel crashed. */
  readonly after: PackedState | undefined;
  readonly event: TaskEvent | undefined;
  readonly to: string;
}

/** A move that a state allows. */
interface Allowed {
  readonly move: number;
  readonly next: PackedState | undefined;
  readonly event: TaskEvent | undefined;
}

/** All moves that a state allows, in the order of the space. */
export function movesOf(space: Space, state: PackedState): Allowed[] {
  const all: Allowed[] = [];
  space.visit(state, (move, next, event) => all.push({ move, next, event }));
  return all;
}

/** The same of one actor, by its name. */
function movesOfActor(space: Space, state: PackedState, name: string): Allowed[] {
  const all: Allowed[] = [];
  const emit: Emit = (move, next, event) => all.push({ move, next, event });
  if (space.visitOnly(state, emit)) return all;
  for (const actor of space.actors(state)) {
    const { kind: who, index } = actor;
    if (actorOf(space, state, { who, index }) === name) space.visitActor(state, actor, emit);
  }
  return all;
}

/** A move in words. */
export function turnOf(space: Space, state: PackedState, move: Move): ScheduleTurn {
  const actor = actorOf(space, state, move);
  if (move.who !== 'caller') return { actor, does: RUNS };
  switch (move.does) {
    case 'runs on':
      return { actor, does: `runs on cpu ${move.detail}` };
    case 'resumes': {
      const fetched = fetchesOf(space, state, move.index)[move.detail];
      return { actor, does: fetched === undefined ? RUNS : FETCHES + fetched };
    }
    case 'is preempted':
    case 'sleeps':
      return { actor, does: move.does };
    case 'is interrupted':
      return { actor, does: item(INTERRUPTED, move.detail) };
    default:
      return unreachable(move.does);
  }
}

/** By the numbers of `INTERRUPTIONS`. */
const INTERRUPTED = [
  'is interrupted',
  'is interrupted early',
  'is interrupted by an NMI',
  'is interrupted by a soft interrupt',
];

/** Makes a turn in a state; undefined when it is not possible there. */
export function playTurn(space: Space, before: PackedState, turn: ScheduleTurn): PlayedSchedule | undefined {
  for (const { move, next, event } of movesOfActor(space, before, turn.actor)) {
    const unpacked = unpackMove(move);
    const { actor, does } = turnOf(space, before, unpacked);
    if (actor === turn.actor && does === turn.does)
      return { turn, move, before, after: next, event, to: placeAfter(space, before, unpacked, next) };
  }
  return undefined;
}

/** The result of playing runs: all moves, and where it diverged. */
export interface ScheduleReplay {
  readonly played: readonly PlayedSchedule[];
  /** One sentence; undefined: it did not diverge. */
  readonly diverged: string | undefined;
}

/** Plays runs from the first state of a space. */
export function playRuns(space: Space, runs: readonly Run[]): ScheduleReplay {
  const played: PlayedSchedule[] = [];
  let state: PackedState | undefined = space.initial();
  for (const [i, run] of runs.entries()) {
    const cannot = `run ${i + 1}, "${printRun(run)}"`;
    for (const turn of turnsOf(run)) {
      const schedule: PlayedSchedule | undefined =
        state === undefined ? undefined : playTurn(space, state, turn);
      if (schedule === undefined) return { played, diverged: `${cannot}: ${turn.actor} cannot do that` };
      played.push(schedule);
      state = schedule.after;
    }
    const to = last(played).to;
    if (run.steps > 0 && to !== run.to) return { played, diverged: `${cannot}: it gets to ${to}` };
  }
  return { played, diverged: undefined };
}

/** Plays turns from a state; undefined when one of them is not possible. */
export function playTurns(
  space: Space,
  from: PackedState,
  turns: readonly ScheduleTurn[],
): PlayedSchedule[] | undefined {
  const played: PlayedSchedule[] = [];
  let state: PackedState | undefined = from;
  for (const turn of turns) {
    const schedule: PlayedSchedule | undefined =
      state === undefined ? undefined : playTurn(space, state, turn);
    if (schedule === undefined) return undefined;
    played.push(schedule);
    state = schedule.after;
  }
  return played;
}
