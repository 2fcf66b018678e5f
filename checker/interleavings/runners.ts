import { item } from '../../model/core/present.ts';
import type { Emit } from './event.ts';
import { unpackMove } from './move.ts';
import type { Work } from './parts.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { ASLEEP, conditionIn, standingIn, worksIn } from './state.ts';

/** No actor has run last: the next move of any actor is no switch. */
export const NONE = 255;

/** Actors of a state at most: a set of them is one number. */
const MOST = 32;

/** For each caller of a state its place before; undefined: all are where they were. */
type CallerOrder = readonly number[] | undefined;

/**
 * The actors of a state by number: clients, then tasks that call, then background work by its place in the state's
 * list. A move may change the number of background work, and symmetry that of a task.
 */
export class Runners {
  /** Lists of background work as text, by number. */
  private readonly spelled: string[][] = [];

  constructor(private readonly space: Space) {}

  /** The actor of a move. */
  of(move: number): number {
    const { who, index } = unpackMove(move);
    const { clients, callers } = this.space.layout;
    return numbered(
      who === 'client' ? index : who === 'caller' ? clients + index : clients + callers + index,
    );
  }

  /** Emits the moves of one actor. */
  visit(state: PackedState, actor: number, emit: Emit): void {
    const { clients, callers } = this.space.layout;
    if (actor < clients) this.space.visitActor(state, { kind: 'client', index: actor }, emit);
    else if (actor < clients + callers)
      this.space.visitActor(state, { kind: 'caller', index: actor - clients }, emit);
    else this.space.visitActor(state, { kind: 'work', index: actor - clients - callers }, emit);
  }

  /** Whether an actor is a sleeping task: it can wake up, and has given up its CPU all the same. */
  isAsleep(state: PackedState, actor: number): boolean {
    const i = actor - this.space.layout.clients;
    return i >= 0 && i < this.space.layout.callers && conditionIn(standingIn(state, i)) === ASLEEP;
  }

  /** The number, in the state after a move, of the actor that has made it; `NONE`: it has ended. */
  after(state: PackedState, move: number, next: PackedState, order: CallerOrder): number {
    const { space } = this;
    const made = unpackMove(move);
    if (made.who !== 'work') return this.kept(state, this.of(move), next, order);
    const { frames = null, waits = null } = space.stepOf(state, made) ?? {};
    if (frames === null) return NONE;
    const holdouts = space.grace.holdouts(state, waits);
    return this.workIn(next, { ...item(space.worksOf(state), made.index), frames, waits, holdouts }, order);
  }

  /** The number, in the state after a move, of an actor that has not made it. */
  kept(state: PackedState, actor: number, next: PackedState, order: CallerOrder): number {
    const { clients, callers } = this.space.layout;
    if (actor < clients || actor === NONE) return actor;
    if (actor < clients + callers)
      return order === undefined ? actor : clients + order.indexOf(actor - clients);
    return this.workIn(next, item(this.space.worksOf(state), actor - clients - callers), order);
  }

  /** Equal work in one list is interchangeable. */
  private workIn(next: PackedState, work: Work, order: CallerOrder): number {
    const { layout, works } = this.space;
    const holdouts =
      order === undefined
        ? work.holdouts
        : order.reduce((all, from, to) => all | (((work.holdouts >> from) & 1) << to), 0);
    const number = worksIn(next, layout);
    const texts = (this.spelled[number] ??= works.get(number).map((own) => JSON.stringify(own)));
    const place = texts.indexOf(JSON.stringify({ ...work, holdouts }));
    if (place < 0) throw new Error(`${work.who} is not in the state after its move`);
    return numbered(layout.clients + layout.callers + place);
  }
}

function numbered(actor: number): number {
  if (actor >= MOST) throw new Error(`more than ${MOST} actors at once: no bound on preemptions is possible`);
  return actor;
}
