import { placeAfter } from './actors.ts';
import { unpackMove } from './move.ts';
import type { PlayedSchedule } from './play.ts';
import { movesOf, turnOf } from './play.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { Symmetry } from './symmetry.ts';

/**
 * A path that was found in a space, with names of tasks and CPUs that stay the same throughout: a search renames them
 * in each state by symmetry.
 */
export function concretePath(space: Space, path: readonly number[]): PlayedSchedule[] {
  const symmetry = new Symmetry(space);
  const canonical = (state: PackedState) => symmetry.merged([...state]).join();
  const played: PlayedSchedule[] = [];
  let found: PackedState = symmetry.merged(space.initial());
  let state: PackedState = space.initial();
  for (const [i, move] of path.entries()) {
    const wanted = movesOf(space, found).find((allowed) => allowed.move === move);
    if (wanted === undefined) throw new Error(`move ${i + 1} of the path is not possible`);
    const key = wanted.next === undefined ? '' : canonical(wanted.next);
    const text = eventText(wanted.event);
    const chosen = movesOf(space, state).find(
      ({ next, event }) => (next === undefined ? '' : canonical(next)) === key && eventText(event) === text,
    );
    if (chosen === undefined) throw new Error(`move ${i + 1} of the path has no like under other names`);
    const unpacked = unpackMove(chosen.move);
    const turn = turnOf(space, state, unpacked);
    const to = placeAfter(space, state, unpacked, chosen.next);
    played.push({ turn, move: chosen.move, before: state, after: chosen.next, event: chosen.event, to });
    if (wanted.next === undefined || chosen.next === undefined) break;
    found = symmetry.merged([...wanted.next]);
    state = chosen.next;
  }
  return played;
}

/** The text of a crash; other moves are determined by their states. */
function eventText(event: PlayedSchedule['event']): string {
  return event?.is === 'crash' ? JSON.stringify(event.crash) : '';
}
