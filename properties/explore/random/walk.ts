import type { TaskLaw } from '../../task/task-law.ts';
import type { Event } from '../event.ts';
import type { TaskBreach } from '../judge.ts';
import { Judge } from '../judge.ts';
import type { Space } from '../space.ts';
import type { State } from '../state.ts';

/** A move that a state allows. */
export interface Option {
  readonly move: number;
  /** Who does it: `client#1`, `task#2`, background work by its name. */
  readonly who: string;
  readonly next: State | undefined;
  readonly event: Event | undefined;
}

/** Who comes first, and which of the moves is made: all that a schedule decides. */
export interface Schedule {
  /** The higher, the sooner. */
  readonly rank: (who: string, step: number) => number;
  /** A number that one of the actor's moves is chosen by. */
  readonly pick: (step: number) => number;
  /** An actor has made a move. */
  readonly ran: (who: string, step: number) => void;
}

/** One run through a space: the moves that were made, and what it broke. */
export interface Walk {
  readonly moves: readonly number[];
  readonly breach: TaskBreach | undefined;
}

/** Moves of one walk at the most. */
const MOVES_MOST = 4_000;

/** Walks through a space until a law is broken that is not passed over, or nothing can happen any more. */
export function walk(
  space: Space,
  laws: readonly TaskLaw[],
  schedule: Schedule,
  isPassedOver: (breach: TaskBreach) => boolean,
): Walk {
  const judge = new Judge(space, laws, space.program);
  const moves: number[] = [];
  let state = space.initial();
  const broken = (breach: TaskBreach | undefined) =>
    breach === undefined || isPassedOver(breach) ? undefined : breach;
  for (let step = 0; step < MOVES_MOST; step++) {
    const option = chosen(space, state, schedule, step);
    if (option === undefined) return { moves, breach: broken(judge.final(state)) };
    moves.push(option.move);
    schedule.ran(option.who, step);
    const breach =
      option.event === undefined ? undefined : broken(judge.event(state, option.next, option.event));
    if (breach !== undefined || option.next === undefined) return { moves, breach };
    state = option.next;
  }
  return { moves, breach: undefined };
}

/** One of the moves of the first actor that has any; undefined when nobody has. */
function chosen(space: Space, state: State, { rank, pick }: Schedule, step: number): Option | undefined {
  const actors = space.actors(state).map((actor) => ({ actor, rank: rank(actor.who, step) }));
  actors.sort((a, b) => b.rank - a.rank);
  for (const { actor } of actors) {
    const options: Option[] = [];
    space.visitActor(state, actor, (move, next, event) => {
      options.push({ move, who: actor.who, next, event });
    });
    if (options.length > 0) return options[pick(step) % options.length];
  }
  return undefined;
}

/** All moves of a state, with those who make them. */
export function optionsOf(space: Space, state: State): Option[] {
  const options: Option[] = [];
  for (const actor of space.actors(state))
    space.visitActor(state, actor, (move, next, event) => {
      options.push({ move, who: actor.who, next, event });
    });
  return options;
}
