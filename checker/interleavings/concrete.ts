import { placeAfter } from './actors.ts';
import { unpackMove } from './move.ts';
import type { PlayedSchedule } from './play.ts';
import { movesOf, turnOf } from './play.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { Symmetry } from './symmetry.ts';

/** A move under names of tasks and CPUs that stay the same on a whole path. */
export type ConcreteMove = Omit<PlayedSchedule, 'turn' | 'to'>;

/** Undoes the renaming of tasks and CPUs: a search renames them in each state by symmetry. */
export class ConcreteMoves {
  private readonly symmetry: Symmetry;

  constructor(private readonly space: Space) {
    this.symmetry = new Symmetry(space);
  }

  /** The moves of a path that was found in the space. */
  of(path: readonly number[]): ConcreteMove[] {
    const made: ConcreteMove[] = [];
    let found = this.symmetry.merged(this.space.initial());
    let state = this.space.initial();
    for (const [i, move] of path.entries()) {
      const { concrete, after } = this.like(found, move, state, `move ${i + 1} of the path`);
      made.push(concrete);
      if (after === undefined || concrete.after === undefined) break;
      found = after;
      state = concrete.after;
    }
    return made;
  }

  /** The move of a state that is like a move of the state that the search has found, which is the same but for names. */
  like(
    found: PackedState,
    move: number,
    state: PackedState,
    name: string,
  ): { readonly concrete: ConcreteMove; readonly after: PackedState | undefined } {
    const wanted = movesOf(this.space, found).find((allowed) => allowed.move === move);
    if (wanted === undefined) throw new Error(`${name} is not possible`);
    const after = this.mergedCopy(wanted.next);
    const key = after?.join();
    const text = eventText(wanted.event);
    const chosen = movesOf(this.space, state).find(
      ({ next, event }) => this.mergedCopy(next)?.join() === key && eventText(event) === text,
    );
    if (chosen === undefined) throw new Error(`${name} has no like under other names`);
    const concrete = { move: chosen.move, before: state, after: chosen.next, event: chosen.event };
    return { concrete, after };
  }

  private mergedCopy(state: PackedState | undefined): PackedState | undefined {
    return state && this.symmetry.merged([...state]);
  }
}

/** A path that was found in a space, in words. */
export function concretePath(space: Space, path: readonly number[]): PlayedSchedule[] {
  return new ConcreteMoves(space).of(path).map((made) => {
    const unpacked = unpackMove(made.move);
    const turn = turnOf(space, made.before, unpacked);
    return { turn, ...made, to: placeAfter(space, made.before, unpacked, made.after) };
  });
}

/** The text of a crash; other moves are determined by their states. */
function eventText(event: PlayedSchedule['event']): string {
  return event?.is === 'crash' ? JSON.stringify(event.crash) : '';
}
