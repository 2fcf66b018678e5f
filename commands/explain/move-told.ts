import { clientName } from '../../checker/interleavings/actor-names.ts';
import { nameOfWork } from '../../checker/interleavings/actors.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { Stepped } from '../../checker/interleavings/operations.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { waitOf } from '../../checker/interleavings/waits-for.ts';
import { endsOf, memoryDelta, restDelta } from '../../counterexamples/interleavings/task-delta.ts';
import type { StateChange } from '../../counterexamples/sequences/delta.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { waitText } from '../../properties/law/wait-words.ts';

/*
 * One move of an interleaving, taken apart.
 */

/** `ftrace_set_hash: lock, build the hash; ftrace_startup: …`: what was done, routine by routine; undefined: nothing but a wait. */
export function partsOf({ did }: Stepped): string | undefined {
  const routines: { readonly name: string | undefined; readonly parts: string[] }[] = [];
  for (const { within, part, refused } of did) {
    const name = within.at(-1);
    const said = refused === undefined ? part : `${part} = -${refused}`;
    if (routines.at(-1)?.name === name) routines.at(-1)!.parts.push(said);
    else routines.push({ name, parts: [said] });
  }
  if (routines.length === 0) return undefined;
  return routines.map(({ name, parts }) => `${name}: ${parts.join(', ')}`).join('; ');
}

/** What it has changed in memory, and what a task that rests comes back to. */
export function moveDelta(space: Space, played: PlayedSchedule): StateChange[] {
  return [...memoryDelta(space, [played]), ...restDelta(space, [played])];
}

/** `takes direct_mutex`, `releases ftrace_lock`, `client#1 waits for rcu_tasks`: what has become otherwise. */
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

/** Clients and background work that cannot go on, or not before a grace period has ended. */
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

/** What clients have seen of a task's call in the move. */
export function eventsOf(space: Space, { before, after, event, move }: PlayedSchedule): readonly CallEvent[] {
  const { who, index } = unpackMove(move);
  if (who !== 'caller') return [];
  const seen = space.callerOf(before, index)?.events ?? [];
  const now =
    event?.is === 'call over'
      ? event.run.events
      : after === undefined
        ? []
        : (space.callerOf(after, index)?.events ?? []);
  return now.slice(seen.length);
}
