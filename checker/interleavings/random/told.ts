import type { KernelProgram } from '../../../model/call/kernel-program.ts';
import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import { placeAfter } from '../actors.ts';
import type { MadeMove } from '../cause/history.ts';
import { historyOf } from '../cause/history.ts';
import type { TaskBreach } from '../judge.ts';
import { Judge } from '../judge.ts';
import { unpackMove } from '../move.ts';
import type { Occurrence } from '../occurrence.ts';
import type { PlayedSchedule } from '../play.ts';
import { movesOf, turnOf } from '../play.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { allOptions, ended } from './walk.ts';

/**
 * A move by its actor, and its index among the actor's moves: it can be found in another state, and in another
 * scenario.
 */
export interface ToldSchedule {
  readonly who: string;
  readonly move: number;
}

/** The properties of equal breaches. */
export interface Same {
  readonly laws: readonly TaskLaw[];
  readonly program: KernelProgram;
  readonly isSame: (breach: Occurrence) => boolean;
}

/** A path to a breach. */
export interface ToldWay {
  readonly told: readonly ToldSchedule[];
  readonly breach: TaskBreach;
}

/** Moves with their actors; undefined when a state does not allow one. */
export function tell(space: Space, moves: readonly number[]): ToldSchedule[] | undefined {
  const told: ToldSchedule[] = [];
  let state = space.initial();
  for (const move of moves) {
    const option = allOptions(space, state).find((option) => option.move === move);
    if (option === undefined) return undefined;
    told.push({ who: option.who, move });
    if (option.next !== undefined) state = option.next;
  }
  return told;
}

/** Moves in words, with the places that they reach; an Error when one is not possible. */
export function playedBy(space: Space, moves: readonly number[]): PlayedSchedule[] {
  let state: PackedState | undefined = space.initial();
  return moves.map((move, i) => {
    const before: PackedState | undefined = state;
    const option =
      before === undefined ? undefined : movesOf(space, before).find((allowed) => allowed.move === move);
    if (before === undefined || option === undefined) throw new Error(`move ${i + 1} is not possible`);
    const unpacked = unpackMove(move);
    const { next, event } = option;
    state = next;
    const to = placeAfter(space, before, unpacked, next);
    return { turn: turnOf(space, before, unpacked), move, before, after: next, event, to };
  });
}

/** How strictly moves are followed: all of them, or those that can be made. */
export type Following = 'all' | 'possible';

/** Makes the moves in a space, up to the breach; undefined when they do not reach it. */
export function follow(
  space: Space,
  { laws, program, isSame }: Same,
  told: readonly ToldSchedule[],
  following: Following,
): ToldWay | undefined {
  const judge = new Judge(space, laws, program);
  const made: ToldSchedule[] = [];
  const moves: MadeMove[] = [];
  const occurrence = (breach: TaskBreach) => ({ ...breach, space, history: () => historyOf(space, moves) });
  let state = space.initial();
  for (const schedule of told) {
    const options = allOptions(space, state);
    const option = options.find(({ who, move }) => who === schedule.who && move === schedule.move);
    if (option === undefined) {
      if (following === 'all') return undefined;
      continue;
    }
    made.push(schedule);
    moves.push({ move: schedule.move, before: state, after: option.next });
    const breach = option.event === undefined ? undefined : judge.event(state, option.next, option.event);
    if (breach !== undefined && isSame(occurrence(breach))) return { told: made, breach };
    if (option.next === undefined) return undefined;
    state = option.next;
  }
  const breach = allOptions(space, state).length === 0 ? ended(space, judge, state) : undefined;
  return breach !== undefined && isSame(occurrence(breach)) ? { told: made, breach } : undefined;
}
