import { expect, test } from 'vitest';
import type { MadeMove } from '../../checker/interleavings/cause/history.ts';
import { historyOf } from '../../checker/interleavings/cause/history.ts';
import type { TaskEvent } from '../../checker/interleavings/event.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { Judge } from '../../checker/interleavings/judge.ts';
import { knownByCause } from '../../checker/interleavings/known-task-breach.ts';
import { turnsOf } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { parseTaskTrace } from './task-trace.ts';

/*
 * What a report says of shorter schedules, tried without the search that it came from: every move in every state, nothing
 * merged, nothing postponed.
 */

/** A state, and the last of the moves to it. */
interface Visited {
  readonly state: PackedState;
  readonly distance: number;
  readonly from: Visited | undefined;
  readonly move: number;
}

/** A breach, and the moves to it. */
interface Breach extends TaskBreach {
  readonly made: () => readonly MadeMove[];
}

/** All moves of a state. */
function movesIn(space: Space, state: PackedState) {
  const moves: { move: number; next: PackedState | undefined; event: TaskEvent | undefined }[] = [];
  space.visit(state, (move, next, event) => moves.push({ move, next: next && [...next], event }));
  return moves;
}

/** A breach that is reached by some moves: the first, by all schedules of one move, of two, of three. */
function fewestMoves(space: Space, law: TaskLaw, isOne: (breach: Breach) => boolean): number | undefined {
  const judge = new Judge(space, [law], space.program);
  const isBroken = (breach: TaskBreach | undefined, made: Breach['made']) =>
    breach !== undefined && breach.law === law && isOne({ ...breach, made });
  let level: Visited[] = [{ state: space.initial(), distance: 0, from: undefined, move: -1 }];
  const seen = new Set(level.map(({ state }) => state.join()));
  while (level.length > 0) {
    const next: Visited[] = [];
    let isNext = false;
    for (const visited of level) {
      const moves = movesIn(space, visited.state);
      if (moves.length === 0 && isBroken(judge.final(visited.state), () => madeTo(visited)))
        return visited.distance;
      for (const { move, next: state, event } of moves) {
        const made = () => [...madeTo(visited), { move, before: visited.state, after: state }];
        if (event !== undefined && isBroken(judge.event(visited.state, state, event), made)) isNext = true;
        if (state === undefined || seen.has(state.join())) continue;
        seen.add(state.join());
        next.push({ state, distance: visited.distance + 1, from: visited, move });
      }
    }
    if (isNext) return level[0]!.distance + 1;
    level = next;
  }
  return undefined;
}

function madeTo(visited: Visited): MadeMove[] {
  const made: MadeMove[] = [];
  for (let last = visited; last.from !== undefined; last = last.from)
    made.unshift({ move: last.move, before: last.from.state, after: last.state });
  return made;
}

/** Moves to the nearest state in which an actor waits for ever: all that follows it leads back to it, and is no end. */
function fewestMovesToTrap(space: Space): number | undefined {
  const distances = new Map<string, number>();
  const followers = new Map<string, readonly string[]>();
  const leaders = new Map<string, string[]>();
  const ends: string[] = [];
  const open: Visited[] = [{ state: space.initial(), distance: 0, from: undefined, move: -1 }];
  for (const { state, distance } of open) {
    const key = state.join();
    if (followers.has(key)) continue;
    distances.set(key, distance);
    const moves = movesIn(space, state);
    const states = moves.flatMap(({ next }) => (next === undefined ? [] : [next]));
    if (states.length < moves.length || (moves.length === 0 && space.hasFinished(state))) ends.push(key);
    followers.set(
      key,
      states.map((other) => other.join()),
    );
    for (const other of states) {
      leaders.set(other.join(), [...(leaders.get(other.join()) ?? []), key]);
      open.push({ state: other, distance: distance + 1, from: undefined, move: -1 });
    }
  }
  const canEnd = closure(ends, (key) => leaders.get(key) ?? []);
  for (const [key, distance] of distances) {
    if (canEnd.has(key)) continue;
    const behind = closure([key], (other) => followers.get(other)!);
    const back = closure([key], (other) => leaders.get(other) ?? []);
    if ([...behind].every((other) => back.has(other))) return distance;
  }
  return undefined;
}

function closure(from: readonly string[], after: (key: string) => readonly string[]): ReadonlySet<string> {
  const all = new Set(from);
  for (const key of all) for (const other of after(key)) all.add(other);
  return all;
}

const CLAIM = 'proved: no breach in fewer steps';
const OF_ITS_CAUSE = 'proved: no breach of this cause in fewer steps';

const SAVED = sources('.trace').filter(
  ({ path, text }) =>
    path.startsWith(`${CORPUS}/task/`) && (text.includes(CLAIM) || text.includes(OF_ITS_CAUSE)),
);

/** The first of those once showed moves that it did not need. */
const ASKED = [
  ...SAVED.filter(({ path }) => path.includes('trampoline-is-put-without-the-lock')),
  ...someOf(SAVED, 9),
];

test('every saved schedule says that it is the shortest', () => {
  const all = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/task/`));
  expect(SAVED).toHaveLength(all.length);
});

test.each(ASKED.map(({ path, text }) => [path, text] as const))(
  '%s is as short as it says',
  { timeout: 120_000 },
  (_, text) => {
    const { schedule, law: name, planted, known } = parseTaskTrace(text);
    const { scenario, runs, grain = 'visible' } = schedule;
    const law = ALL_TASK_LAWS.find((own) => own.name === name)!;
    const bug = TASK_PLANTED.find((own) => own.name === planted);
    const program = plantedKernel(bug);
    const space = new Space(scenario, { program, grain, reduce: false, symmetric: false });
    const entry = KNOWN_TASK.filter((own) => own.name === known);
    const isOne = ({ made, ...breach }: Breach) =>
      text.includes(CLAIM) ||
      knownByCause(entry, { ...breach, space, history: () => historyOf(space, made()) }) !== undefined;
    const moves = runs.flatMap(turnsOf).length;
    // A trap is drawn with the way back to it, which its moves do not count.
    if (law.isLiveness === true) expect(fewestMovesToTrap(space)).toBe(bug!.moves);
    else expect(fewestMoves(space, law, isOne)).toBe(moves);
  },
);
