import type { TaskLaw } from '../task/task-law.ts';
import type { TaskBreach } from './judge.ts';
import { Judge } from './judge.ts';
import type { Space } from './space.ts';
import type { State } from './state.ts';
import { Store } from './store.ts';
import { Symmetry } from './symmetry.ts';

/** What a search is asked. */
export interface Exploration {
  readonly laws: readonly TaskLaw[];
  /** Moves from the first state at the most. */
  readonly depth?: number;
  /** States that are kept at the most. */
  readonly states?: number;
  /** Whether a breach ends the search; one that does not is counted and passed over. */
  readonly stopsAt?: (breach: TaskBreach) => boolean;
}

/** The first occurrence of a breach: by the fewest moves. */
export interface FoundBreach extends TaskBreach {
  readonly path: readonly number[];
  /** States, or ends of calls and operations, that show it. */
  count: number;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** Moves to the farthest state that was looked at. */
  readonly depth: number;
  /** States in which nothing can happen any more. */
  readonly ends: number;
  readonly bytes: number;
  /** Every state within the bound was looked at. */
  readonly complete: boolean;
  readonly breaches: readonly FoundBreach[];
  readonly witnesses: ReadonlyMap<string, number>;
}

/** Looks at all states of a space, the nearest first. */
export function explore(space: Space, exploration: Exploration): Explored {
  const search = new Search(space, exploration);
  while (search.goOn());
  return search.result();
}

/** A search that can be looked at, and left, between any two states. */
export class Search {
  private readonly store: Store;
  private readonly judge: Judge;
  private readonly symmetry: Symmetry;
  private readonly breaches = new Map<string, FoundBreach>();
  private transitions = 0;
  private ends = 0;
  private at = 0;
  private level = 0;
  private levelEnd = 1;
  private stopped = false;

  constructor(
    private readonly space: Space,
    private readonly exploration: Exploration,
  ) {
    this.store = new Store(space.layout.width);
    this.judge = new Judge(space, exploration.laws, space.program);
    this.symmetry = new Symmetry(space);
    this.store.add(this.canonical(space.initial()), -1, 0);
  }

  /** Looks at the next state; whether there may be more. */
  goOn(): boolean {
    const { depth = Number.POSITIVE_INFINITY, states = 30_000_000 } = this.exploration;
    const { store, at } = this;
    if (at === store.size || this.stopped || store.size >= states) return false;
    if (at === this.levelEnd) {
      this.level++;
      this.levelEnd = store.size;
    }
    if (this.level >= depth) return false;
    this.look(store.get(at), at);
    this.at++;
    return true;
  }

  private look(state: State, at: number): void {
    const { store, judge } = this;
    let moves = 0;
    this.space.visit(state, (move, next, event) => {
      moves++;
      const breach = event === undefined || this.stopped ? undefined : judge.event(state, next, event);
      if (breach !== undefined) this.note(breach, () => [...store.pathTo(at), move]);
      if (next !== undefined) store.add(this.canonical(next), at, move);
    });
    this.transitions += moves;
    if (moves > 0) return;
    this.ends++;
    const breach = judge.final(state);
    if (breach !== undefined) this.note(breach, () => store.pathTo(at));
  }

  private canonical(state: State): State {
    return this.space.symmetric ? this.symmetry.canonical(state) : state;
  }

  private note(breach: TaskBreach, path: () => readonly number[]): void {
    const key = `${breach.law.name} ${JSON.stringify(breach.finding)}`;
    const known = this.breaches.get(key);
    if (known !== undefined) known.count++;
    else this.breaches.set(key, { ...breach, path: path(), count: 1 });
    if (this.exploration.stopsAt?.(breach) ?? true) this.stopped = true;
  }

  result(): Explored {
    const { store, transitions, ends, level, stopped, at, breaches, judge } = this;
    return {
      states: store.size,
      transitions,
      depth: level,
      ends,
      bytes: store.bytes,
      complete: !stopped && at === store.size,
      breaches: [...breaches.values()],
      witnesses: judge.witnesses,
    };
  }
}
