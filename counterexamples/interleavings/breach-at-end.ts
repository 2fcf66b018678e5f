import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { Judge } from '../../checker/interleavings/judge.ts';
import { lively } from '../../checker/interleavings/liveness.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { movesOf } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';

/** The breach of the last move, or of its state when no move is possible there any more, or the same again. */
export function breachAtEnd(
  space: Space,
  law: TaskLaw,
  played: readonly PlayedSchedule[],
): TaskBreach | undefined {
  const judge = new Judge(space, [law], space.program);
  const last = played.at(-1);
  if (last === undefined) return undefined;
  const { before, after, event } = last;
  if (law.isLiveness === true) return after === undefined ? undefined : trapBreach(space, judge, after);
  const breach = event === undefined ? undefined : judge.event(before, after, event);
  if (breach !== undefined || after === undefined || movesOf(space, after).length > 0) return breach;
  return judge.final(after);
}

/** States that come after where a schedule ends, at most. */
const AFTERWARDS = 10_000;

/** The breach of a state from which no actor can move, or which is reachable from all of its successors. */
function trapBreach(space: Space, judge: Judge, state: PackedState): TaskBreach | undefined {
  const { trap } = lively(space, AFTERWARDS, state);
  return trap === undefined || trap.path.length > 0 ? undefined : judge.trapped(trap);
}
