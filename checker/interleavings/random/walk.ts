import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import type { MadeMove } from '../cause/history.ts';
import { historyOf } from '../cause/history.ts';
import type { TaskEvent } from '../event.ts';
import type { TaskBreach } from '../judge.ts';
import { Judge } from '../judge.ts';
import { unpackMove } from '../move.ts';
import type { Occurrence } from '../occurrence.ts';
import type { Actor, Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { endlessFrom } from './endless.ts';

/** A move that a state allows. */
export interface Option {
  readonly move: number;
  /** Who does it: `client#1`, `task#2`, background work by its name. */
  readonly who: string;
  readonly next: PackedState | undefined;
  readonly event: TaskEvent | undefined;
}

/** Who comes first, and which of the moves is made: all that a schedule decides. */
export interface WalkedSchedule {
  /** The higher, the sooner. */
  readonly rank: (who: string, step: number) => number;
  /** One of the actor's moves. */
  readonly pick: (options: readonly Option[], step: number) => Option;
  /** A move was made. */
  readonly ran: (option: Option, step: number) => void;
}

/** One run through a space: the moves that were made, and what it broke. */
export interface Walk {
  readonly moves: readonly number[];
  readonly breach: TaskBreach | undefined;
}

/** Breaches that do not count: such that are known, and such that end a walk without being what it was made for. */
export interface PassOver {
  readonly isKnown?: (breach: Occurrence) => boolean;
  readonly isLast?: (breach: TaskBreach) => boolean;
}

/** Moves of one walk at most. */
const MOVES_MOST = 2_000;

/** Walks through one space, one after the other: what a judge was told in one it does not ask in the next. */
export class Walker {
  private readonly judge: Judge;

  constructor(
    private readonly space: Space,
    laws: readonly TaskLaw[],
  ) {
    this.judge = new Judge(space, laws, space.program);
  }

  /** In how many moves and ends each law had a say, by its name. */
  get witnesses(): ReadonlyMap<string, number> {
    return this.judge.witnesses;
  }

  /**
   * Walks until a law is broken that is not passed over, or nothing can happen any more. What comes after a breach that
   * is the last may be its consequence: nobody asks.
   */
  walk(schedule: WalkedSchedule, pass: PassOver = {}): Walk {
    const { space, judge } = this;
    const moves: number[] = [];
    const made: MadeMove[] = [];
    const isKnown = (breach: TaskBreach) =>
      pass.isKnown?.({ ...breach, space, history: () => historyOf(space, made) }) === true;
    let state = space.initial();
    const broken = (breach: TaskBreach | undefined) =>
      breach === undefined || isKnown(breach) ? undefined : breach;
    const notLast = (breach: TaskBreach | undefined) =>
      breach !== undefined && pass.isLast?.(breach) === true ? undefined : breach;
    for (let step = 0; step < MOVES_MOST; step++) {
      const option = chosen(space, state, schedule, step);
      if (option === undefined) return { moves, breach: notLast(broken(ended(space, judge, state))) };
      moves.push(option.move);
      made.push({ move: option.move, before: state, after: option.next });
      schedule.ran(option, step);
      const { next, event } = option;
      const breach = event === undefined ? undefined : broken(judge.event(state, next, event));
      if (breach !== undefined || next === undefined) return { moves, breach: notLast(breach) };
      state = next;
    }
    const trap = endlessFrom(space, state);
    return { moves, breach: trap === undefined ? undefined : notLast(broken(judge.trapped(trap))) };
  }
}

/** What is broken where nothing can happen any more. */
export function ended(space: Space, judge: Judge, state: PackedState): TaskBreach | undefined {
  const breach = judge.final(state);
  if (breach !== undefined || space.hasFinished(state)) return breach;
  return judge.trapped({ path: [], state, cycle: [] });
}

/** One of the moves of the first actor that has any; undefined when nobody has. */
function chosen(
  space: Space,
  state: PackedState,
  schedule: WalkedSchedule,
  step: number,
): Option | undefined {
  const actors = space.actors(state).map((actor) => ({ actor, rank: schedule.rank(actor.who, step) }));
  actors.sort((a, b) => b.rank - a.rank);
  for (const { actor } of actors) {
    const options = optionsOf(space, state, actor);
    if (options.length > 0) return schedule.pick(options, step);
  }
  return undefined;
}

/** The moves of one of those who act. */
export function optionsOf(space: Space, state: PackedState, actor: Actor): Option[] {
  const options: Option[] = [];
  space.visitActor(state, actor, (move, next, event) => {
    options.push({ move, who: actor.who, next, event });
  });
  return options;
}

/** All moves of a state, with those who make them. */
export function allOptions(space: Space, state: PackedState): Option[] {
  return space.actors(state).flatMap((actor) => optionsOf(space, state, actor));
}

/** What a move of a task is; clients and background work just go on. */
export function doesOf(packed: number): string {
  const move = unpackMove(packed);
  return move.who === 'caller' ? move.does : 'goes on';
}

/** Whether a task leaves its CPU, or what it is about. */
export function isRest(packed: number): boolean {
  const does = doesOf(packed);
  return does !== 'goes on' && does !== 'runs on';
}
