import type { TaskLaw } from '../../task/task-law.ts';
import type { Event } from '../event.ts';
import type { TaskBreach } from '../judge.ts';
import { Judge } from '../judge.ts';
import { unpackMove } from '../move.ts';
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

/** Chooses among the moves of a state: a number of one of them; undefined ends the walk. */
export type Choose = (options: readonly Option[], step: number) => number | undefined;

/** One run through a space: the moves that were made, and what it broke. */
export interface Walk {
  readonly moves: readonly number[];
  readonly breach: TaskBreach | undefined;
  /** Nothing could happen any more. */
  readonly ended: boolean;
}

/** Moves of one walk at the most. */
const MOVES_MOST = 4_000;

/** Walks through a space until a law is broken that is not passed over, or nothing can happen any more. */
export function walk(
  space: Space,
  laws: readonly TaskLaw[],
  choose: Choose,
  isPassedOver: (breach: TaskBreach) => boolean,
): Walk {
  const judge = new Judge(space, laws, space.program);
  const moves: number[] = [];
  let state = space.initial();
  for (let step = 0; step < MOVES_MOST; step++) {
    const options = optionsOf(space, state);
    if (options.length === 0) {
      const breach = judge.final(state);
      return {
        moves,
        breach: breach !== undefined && isPassedOver(breach) ? undefined : breach,
        ended: true,
      };
    }
    const chosen = choose(options, step);
    if (chosen === undefined) return { moves, breach: undefined, ended: false };
    const { move, next, event } = options[chosen]!;
    moves.push(move);
    const breach = event === undefined ? undefined : judge.event(state, next, event);
    if (breach !== undefined && !isPassedOver(breach)) return { moves, breach, ended: false };
    if (next === undefined) return { moves, breach: undefined, ended: true };
    state = next;
  }
  return { moves, breach: undefined, ended: false };
}

export function optionsOf(space: Space, state: State): Option[] {
  const options: Option[] = [];
  space.visit(state, (move, next, event) => {
    options.push({ move, who: actorOf(space, state, move), next, event });
  });
  return options;
}

/** Who makes a move. */
export function actorOf(space: Space, state: State, packed: number): string {
  const { who, index } = unpackMove(packed);
  if (who === 'client') return `client#${index + 1}`;
  if (who === 'caller') return `task#${index + 1}`;
  return space.worksOf(state)[index]!.who;
}
