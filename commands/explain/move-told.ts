import { clientName } from '../../checker/interleavings/actor-names.ts';
import { actorOf } from '../../checker/interleavings/actors.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { Work } from '../../checker/interleavings/parts.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { waitOf } from '../../checker/interleavings/waits-for.ts';
import { eventsOf } from '../../counterexamples/interleavings/move-text.ts';
import { endsOf, memoryDelta, restDelta } from '../../counterexamples/interleavings/task-delta.ts';
import type { StateChange } from '../../counterexamples/sequences/delta.ts';
import { printAction } from '../../model/action-text.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { RoutineFrame } from '../../model/core/world.ts';
import { fromHex } from '../../model/x86/word.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { waitText } from '../../properties/law/wait-words.ts';
import { programKind } from './call-words.ts';
import { eventText } from './event-text.ts';

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
  return Object.fromEntries(
    standingsIn(space, state).flatMap(({ who, waits, wait }) => {
      if (wait !== undefined) return [[who, waitText(wait)]];
      return waits === null ? [] : [[who, `${who} waits for ${waits}`]];
    }),
  );
}

/** A client or background work: how far it is, and what it waits for. */
export interface ActorStanding extends Pick<Work, 'waits' | 'holdouts'> {
  readonly who: string;
  readonly frames: readonly RoutineFrame[] | null;
  /** Undefined: nothing keeps it from moving. */
  readonly wait: Wait | undefined;
}

/** The clients of a state, then its background work. */
export function standingsIn(space: Space, state: PackedState): ActorStanding[] {
  const k = space.kernelOf(state);
  return [
    ...space.scenario.clients.map((_, i) => ({ ...space.clientOf(state, i), who: clientName(i) })),
    ...space
      .worksOf(state)
      .map((work, index) => ({ ...work, who: actorOf(space, state, { who: 'work', index }) })),
  ].map(({ who, frames, waits, holdouts }) => {
    const wait = waitOf(space.program, k, who, { frames, waits, holdouts });
    return { who, frames, waits, holdouts, wait };
  });
}

/** The operation that a client begins in a move: `register_kprobe(kprobe#1, f1)`. */
export function begunOperation(space: Space, { before, move }: PlayedSchedule): string | undefined {
  const { who, index } = unpackMove(move);
  if (who !== 'client') return undefined;
  const { frames, answers } = space.clientOf(before, index);
  if (frames !== null) return undefined;
  return printAction(item(item(space.scenario.clients, index), answers.length), space.scenario);
}

/** What clients see in a move. */
export function seenEvents(
  space: Space,
  played: PlayedSchedule,
): { readonly event: CallEvent; readonly text: string }[] {
  const k = space.kernelOf(played.before);
  const words = {
    kindOf: (who: string) => programKind(k, who),
    placeOf: (address: string) => codePlace(k, fromHex(address)),
  };
  return eventsOf(space, played).map((event) => ({ event, text: eventText(event, words) }));
}

/** The WARNs of a move. */
export function warningsOf(space: Space, { event, before, move }: PlayedSchedule): readonly Warning[] {
  if (event !== undefined && 'warnings' in event) return event.warnings;
  return space.stepOf(before, unpackMove(move))?.warnings ?? [];
}
