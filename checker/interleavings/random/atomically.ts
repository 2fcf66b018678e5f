import type { CallerScript, Scenario } from '../../../properties/observed/scenario.ts';
import { requestsOf } from '../../../properties/observed/scenario.ts';
import type { TaskBreach } from '../judge.ts';
import { Judge } from '../judge.ts';
import type { Actor } from '../space.ts';
import { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { conditionIn, OVER, standingIn } from '../state.ts';
import type { Same } from './told.ts';
import { ended, isRest, optionsOf } from './walk.ts';

/** The form of a breach without interleaving: its cause is not analysed. */
export interface SameAlone extends Omit<Same, 'isSame'> {
  readonly isSame: (breach: TaskBreach) => boolean;
}

/** Moves of one operation or call at most. */
const MOVES_MOST = 2_000;

/**
 * Whether a scenario breaks a law even if nothing is interleaved: each operation and each call runs from its start to
 * its end, and then the background work, in any order. Then the breach is one for the search of sequences of calls.
 */
export function breaksAtomically(scenario: Scenario, same: SameAlone): boolean {
  const alone = { ...scenario, callers: scenario.callers.flatMap(callsOf) };
  const space = new Space(alone, { program: same.program, symmetric: false });
  return new Atomically(space, same).isBroken();
}

/** The call of an interrupt is made by its own task. */
function callsOf(script: CallerScript): CallerScript[] {
  const { interrupt, earlyInterrupt, nmi, softInterrupt, ...caller } = script;
  const [, ...onTop] = requestsOf(script);
  return [caller, ...onTop.map((call) => ({ call }))];
}

class Atomically {
  private readonly judge: Judge;
  private found = false;

  constructor(
    private readonly space: Space,
    private readonly same: SameAlone,
  ) {
    this.judge = new Judge(space, same.laws, same.program);
  }

  isBroken(): boolean {
    const first = this.space.initial();
    const known = new Set([first.join()]);
    this.goOnFrom(first, known);
    return this.found;
  }

  /** All possible next runs, and their successors. */
  private goOnFrom(state: PackedState, known: Set<string>): void {
    let moved = false;
    for (const actor of this.space.actors(state)) {
      if (this.found) return;
      const next = this.whole(state, actor);
      if (next === undefined) continue;
      moved = true;
      if (known.has(next.join())) continue;
      known.add(next.join());
      this.goOnFrom(next, known);
    }
    if (!moved) this.note(ended(this.space, this.judge, state));
  }

  /** One operation or call of an actor and the background work after it; undefined when it has none, or waits. */
  private whole(first: PackedState, actor: Actor): PackedState | undefined {
    let state: PackedState | undefined = this.step(first, actor);
    for (let moves = 0; state !== undefined && this.isUnderWay(state, actor); moves++) {
      if (moves > MOVES_MOST) return undefined;
      state = this.step(state, actor) ?? this.work(state);
    }
    for (let after = state; after !== undefined; after = this.work(after)) state = after;
    return state;
  }

  private isUnderWay(state: PackedState, { kind, index }: Actor): boolean {
    if (kind === 'client') return this.space.clientOf(state, index).frames !== null;
    return kind === 'caller' && conditionIn(standingIn(state, index)) !== OVER;
  }

  private work(state: PackedState): PackedState | undefined {
    for (const actor of this.space.actors(state)) {
      const next = actor.kind === 'work' ? this.step(state, actor) : undefined;
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** An actor continues, with the content of memory: the last instruction that its CPU may fetch. */
  private step(state: PackedState, actor: Actor): PackedState | undefined {
    const options = optionsOf(this.space, state, actor);
    const option = options.findLast(({ move }) => !isRest(move)) ?? options[0];
    if (option === undefined) return undefined;
    const { next, event } = option;
    if (event !== undefined) this.note(this.judge.event(state, next, event));
    return next;
  }

  private note(breach: ReturnType<Judge['final']>): void {
    if (breach !== undefined && this.same.isSame(breach)) this.found = true;
  }
}
