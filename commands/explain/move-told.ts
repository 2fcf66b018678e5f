import { clientName } from '../../checker/interleavings/actor-names.ts';
import { nameOfWork } from '../../checker/interleavings/actors.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { waitOf } from '../../checker/interleavings/waits-for.ts';
import { endsOf, memoryDelta, restDelta } from '../../counterexamples/interleavings/task-delta.ts';
import type { StateChange } from '../../counterexamples/sequences/delta.ts';
import { waitText } from '../../properties/law/wait-words.ts';

/* One move of an interleaving, in its parts. */

/** Its changes in memory, and the return addresses of a task that rests. */
export function moveDelta(space: Space, played: PlayedSchedule): StateChange[] {
  return [...memoryDelta(space, [played]), ...restDelta(space, [played])];
}

/** `takes direct_mutex`, `releases ftrace_lock`, `client#1 waits for rcu_tasks`: changed locks and waits. */
export function standingTexts(space: Space, played: PlayedSchedule): string[] {
  const [before, after] = endsOf([played]);
  const [held, holds] = [before, after].map((state) => Object.keys(space.kernelOf(state).locks)) as [
    string[],
    string[],
  ];
  const [waited, waits] = [waitsIn(space, before), waitsIn(space, after)] as const;
  const listed = (verb: string, locks: readonly string[]) =>
    locks.length === 0 ? [] : [`${verb} ${locks.join(', ')}`];
  return [
    ...listed(
      'takes',
      holds.filter((lock) => !held.includes(lock)),
    ),
    ...listed(
      'releases',
      held.filter((lock) => !holds.includes(lock)),
    ),
    ...Object.entries(waits).flatMap(([who, text]) => (waited[who] === text ? [] : [text])),
    ...Object.keys(waited).flatMap((who) => (who in waits ? [] : [`${who} waits no longer`])),
  ];
}

/** Clients and background work that are blocked, or wait for a grace period. */
function waitsIn(space: Space, state: PackedState): Record<string, string> {
  const k = space.kernelOf(state);
  const all = [
    ...space.scenario.clients.map((_, i) => ({ ...space.clientOf(state, i), who: clientName(i) })),
    ...space.worksOf(state).map((work) => ({ ...work, who: nameOfWork(work) })),
  ];
  return Object.fromEntries(
    all.flatMap((own) => {
      const wait = waitOf(space.program, k, own.who, own);
      if (wait !== undefined) return [[own.who, waitText(wait)]];
      return own.waits === null ? [] : [[own.who, `${own.who} waits for ${own.waits}`]];
    }),
  );
}
