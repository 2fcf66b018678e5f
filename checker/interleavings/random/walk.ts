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
  /** Its actor: `client#1`, `task#2`, background work by its name. */
  readonly who: string;
  readonly next: PackedState | undefined;
  readonly event: TaskEvent | undefined;
}

/** The next actor, and its move: all that a schedule decides. */
export interface WalkedSchedule {
  /** The higher, the sooner. */
  readonly rank: (who: string, step: number) => number;
  /** One of the actor's moves. */
  readonly pick: (options: readonly Option[], step: number) => Option;
  /** A move was made. */
  readonly ran: (option: Option, step: number) => void;
}

/** One run through a space: its moves, and the law that it broke. */
export interface Walk {
  readonly moves: readonly number[];
  readonly breach: TaskBreach | undefined;
}

/** Breaches that do not count: known ones, and those that end a walk without being its goal. */
export interface PassOver {
  readonly isKnown?: (breach: Occurrence) => boolean;
  readonly isLast?: (breach: TaskBreach) => boolean;
}

/** Moves of one walk at most. */
const MOVES_MOST = 2_000;

/** Walks through one space, one after the other: an event that was judged in one is not judged again in the next. */
export class Walker {
  private readonly judge: Judge;

  constructor(
    private readonly space: Space,
    laws: readonly TaskLaw[],
  ) {
    this.judge = new Judge(space, laws, space.program);
  }

  /** In how many moves and ends each law applied, by its name. */
  get witnesses(): ReadonlyMap<string, number> {
    return this.judge.witnesses;
  }

  /**
   * Walks until a law is broken in a way that counts, or no move is possible. After the last breach laws are not
   * checked: later breaches may be its consequences.
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

/** The broken law where no move is possible any more. */
export function ended(space: Space, judge: Judge, state: PackedState): TaskBreach | undefined {
  const breach = judge.final(state);
  if (breach !== undefined || space.hasFinished(state)) return breach;
  return judge.trapped({ path: [], state, cycle: [] });
}

/** One of the moves of the first actor that has any; undefined when none has. */
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

/** All moves of a state, with their actors. */
export function allOptions(space: Space, state: PackedState): Option[] {
  return space.actors(state).flatMap((actor) => optionsOf(space, state, actor));
}

/** The kind of a task's move; clients and background work have one kind. */
export function doesOf(packed: number): string {
  const move = unpackMove(packed);
  return move.who === 'caller' ? move.does : 'resumes';
}

/** Whether a task leaves its CPU, or is interrupted. */
export function isRest(packed: number): boolean {
  const does = doesOf(packed);
  return does !== 'resumes' && does !== 'runs on';
}
