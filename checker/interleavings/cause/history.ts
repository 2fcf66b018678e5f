import { item } from '../../../model/core/present.ts';
import { clientName, taskName } from '../actor-names.ts';
import { ConcreteMoves } from '../concrete.ts';
import type { Move } from '../move.ts';
import { unpackMove } from '../move.ts';
import type { Stepped } from '../operations.ts';
import type { ClientParts, Work } from '../parts.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';

/** A move on the way to a breach, and those before it. */
export interface HistoryMoment {
  readonly earlier: HistoryMoment | undefined;
  readonly move: Move;
  readonly before: PackedState;
  /** Undefined: the kernel crashed in it. */
  readonly after: PackedState | undefined;
  /** The actor: `client#1`, `task#1`, background work by its routine and its arguments. */
  readonly who: string;
  /** The parts of an operation or of background work in it. */
  readonly step: Stepped | undefined;
}

/** The states of a search by number, and how each was found. */
export interface StatePaths {
  get(number: number): PackedState;
  /** The state that one was found from; −1: it is the first. */
  parentOf(number: number): number;
  /** The move that it was found by. */
  moveTo(number: number): number;
  /** The moves to a state from the first one. */
  pathTo(number: number): number[];
}

/**
 * The ways to states of a search, under names of tasks and CPUs that stay the same throughout. Ways to several states
 * begin alike: of each, only what comes after a known part of it is analysed.
 */
export class Histories {
  /** By the number of the state after it. */
  private readonly known = new Map<number, HistoryMoment>();
  /** Undefined: no task or CPU changes its name. */
  private readonly concrete: ConcreteMoves | undefined;

  constructor(
    private readonly space: Space,
    private readonly paths: StatePaths,
  ) {
    const renames = space.symmetric && space.layout.callers > 1;
    this.concrete = renames ? new ConcreteMoves(space) : undefined;
  }

  /** The moves to a state of the search, and one more from it, if given. */
  to(number: number, move?: number, after?: PackedState): HistoryMoment | undefined {
    const earlier = this.before(number);
    return move === undefined ? earlier : this.moment(earlier, number, move, after);
  }

  private before(number: number): HistoryMoment | undefined {
    const numbers: number[] = [];
    let found: HistoryMoment | undefined;
    for (let index = number; this.paths.parentOf(index) !== -1; index = this.paths.parentOf(index)) {
      found = this.known.get(index);
      if (found !== undefined) break;
      numbers.push(index);
    }
    for (const index of numbers.reverse()) {
      found = this.moment(found, this.paths.parentOf(index), this.paths.moveTo(index), this.paths.get(index));
      this.known.set(index, found);
    }
    return found;
  }

  /** A move from a state of the search, after those to it. */
  private moment(
    earlier: HistoryMoment | undefined,
    from: number,
    move: number,
    after: PackedState | undefined,
  ): HistoryMoment {
    const { space, concrete } = this;
    const state = this.paths.get(from);
    if (concrete === undefined) return momentOf(space, earlier, { move, before: state, after });
    const before = earlier === undefined ? space.initial() : earlier.after!;
    return momentOf(
      space,
      earlier,
      concrete.like(state, move, before, `move ${move} of state ${from}`).concrete,
    );
  }
}

/** The moves of a path, under names that stay the same throughout. */
export function concreteHistory(space: Space, path: readonly number[]): HistoryMoment | undefined {
  return historyOf(space, new ConcreteMoves(space).of(path));
}

/** A move between two states. */
export interface MadeMove {
  readonly move: number;
  readonly before: PackedState;
  readonly after: PackedState | undefined;
}

/** Consecutive moves. */
export function historyOf(space: Space, made: readonly MadeMove[]): HistoryMoment | undefined {
  return made.reduce<HistoryMoment | undefined>((earlier, move) => momentOf(space, earlier, move), undefined);
}

function momentOf(
  space: Space,
  earlier: HistoryMoment | undefined,
  { move: packed, before, after }: MadeMove,
): HistoryMoment {
  const move = unpackMove(packed);
  return { earlier, move, before, after, who: whoOf(space, before, move), step: space.stepOf(before, move) };
}

function whoOf(space: Space, state: PackedState, { who, index }: Move): string {
  if (who === 'client') return clientName(index);
  return who === 'caller' ? taskName(index) : item(space.worksOf(state), index).who;
}

/** The moves of a history, the first one first. */
export function momentsOf(last: HistoryMoment | undefined): HistoryMoment[] {
  const moments: HistoryMoment[] = [];
  for (let historyMoment = last; historyMoment !== undefined; historyMoment = historyMoment.earlier)
    moments.push(historyMoment);
  return moments.reverse();
}

/** The task of a move; undefined: another actor made it. */
export function taskOf({ move }: HistoryMoment): number | undefined {
  return move.who === 'caller' ? move.index : undefined;
}

/** The operation, or the background work, of a move's actor, as it is in a state. */
export function operationOf(
  space: Space,
  state: PackedState,
  { move, who }: HistoryMoment,
): (Pick<Work, 'waits' | 'holdouts'> & { readonly frames: ClientParts['frames'] }) | undefined {
  if (move.who === 'client') return space.clientOf(state, move.index);
  return space.worksOf(state).find((work) => work.who === who);
}
