import { item } from '../../../model/core/present.ts';
import { clientName, taskName } from '../actor-names.ts';
import { concretePath } from '../concrete.ts';
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

/** StatePaths to states of a search: their analysis is cached for longer paths. */
export class Histories {
  private readonly known = new Map<number, HistoryMoment>();

  constructor(
    private readonly space: Space,
    private readonly paths: StatePaths,
  ) {}

  /** The moves to a state of the search, and one more from it, if given. */
  to(number: number, move?: number, after?: PackedState): HistoryMoment | undefined {
    if (this.renames()) {
      const path = this.paths.pathTo(number);
      return concreteHistory(this.space, move === undefined ? path : [...path, move]);
    }
    const earlier = this.before(number);
    return move === undefined
      ? earlier
      : momentOf(this.space, earlier, this.paths.get(number), unpackMove(move), after);
  }

  /** Whether symmetric tasks change their names along the path. */
  private renames(): boolean {
    return this.space.symmetric && this.space.layout.callers > 1;
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
      const state = this.paths.get(this.paths.parentOf(index));
      found = momentOf(this.space, found, state, unpackMove(this.paths.moveTo(index)), this.paths.get(index));
      this.known.set(index, found);
    }
    return found;
  }
}

/** The moves of a path, under names that stay the same throughout. */
export function concreteHistory(space: Space, path: readonly number[]): HistoryMoment | undefined {
  return historyOf(space, concretePath(space, path));
}

/** A move between two states. */
export interface MadeMove {
  readonly move: number;
  readonly before: PackedState;
  readonly after: PackedState | undefined;
}

/** Consecutive moves. */
export function historyOf(space: Space, made: readonly MadeMove[]): HistoryMoment | undefined {
  return made.reduce<HistoryMoment | undefined>(
    (earlier, { move, before, after }) => momentOf(space, earlier, before, unpackMove(move), after),
    undefined,
  );
}

function momentOf(
  space: Space,
  earlier: HistoryMoment | undefined,
  before: PackedState,
  move: Move,
  after: PackedState | undefined,
): HistoryMoment {
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
