import { item, present } from '../../../model/core/present.ts';
import type { LivelockTrap } from '../liveness.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';

/** States that are explored for a way out. */
const STATES = 2_000;

/**
 * Where a walk continues without end: the state and the moves back to it, if no reachable state is an end. Undefined
 * when one is, or when there are too many to explore.
 */
export function endlessFrom(space: Space, from: PackedState): LivelockTrap | undefined {
  const known = new Set([from.join()]);
  const open = [from];
  for (const state of open) {
    const next = nextOf(space, state);
    if (next.length === 0 || next.some((made) => made.state === undefined)) return undefined;
    for (const { state: after } of next)
      if (after !== undefined && !known.has(after.join())) {
        known.add(after.join());
        open.push(after);
      }
    if (open.length > STATES) return undefined;
  }
  return circleFrom(space, from);
}

/** Repeating the first move reaches a state again eventually. */
function circleFrom(space: Space, from: PackedState): LivelockTrap {
  const seen: string[] = [];
  const path: number[] = [];
  for (let state = from; ; ) {
    const index = seen.indexOf(state.join());
    if (index >= 0) return { path: path.slice(0, index), state, cycle: path.slice(index) };
    seen.push(state.join());
    const first = item(nextOf(space, state), 0);
    path.push(first.move);
    state = present(first.state, 'state after the move');
  }
}

function nextOf(
  space: Space,
  state: PackedState,
): { readonly move: number; readonly state: PackedState | undefined }[] {
  const all: { move: number; state: PackedState | undefined }[] = [];
  space.visit(state, (move, next) => all.push({ move, state: next }));
  return all;
}
