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
export function explore(space: Space, { laws, depth = 1e9, states = 3e7, stopsAt }: Exploration): Explored {
  const store = new Store(space.layout.width);
  const judge = new Judge(space, laws, space.program);
  const symmetry = new Symmetry(space);
  const canonical = (state: State) => (space.symmetric ? symmetry.canonical(state) : state);
  const breaches = new Map<string, FoundBreach>();
  let transitions = 0;
  let ends = 0;
  let level = 0;
  let levelEnd = 1;
  let stopped = false;
  const note = (breach: TaskBreach, path: () => readonly number[]) => {
    const key = `${breach.law.name} ${JSON.stringify(breach.finding)}`;
    const known = breaches.get(key);
    if (known !== undefined) known.count++;
    else breaches.set(key, { ...breach, path: path(), count: 1 });
    if (stopsAt?.(breach) ?? true) stopped = true;
  };
  store.add(canonical(space.initial()), -1, 0);
  let at = 0;
  for (; at < store.size && !stopped && store.size < states; at++) {
    if (at === levelEnd) {
      level++;
      levelEnd = store.size;
      if (level >= depth) break;
    }
    const state = store.get(at);
    let moves = 0;
    space.visit(state, (move, next, event) => {
      moves++;
      const breach = event === undefined || stopped ? undefined : judge.event(state, next, event);
      if (breach !== undefined) note(breach, () => [...store.pathTo(at), move]);
      if (next !== undefined) store.add(canonical(next), at, move);
    });
    transitions += moves;
    if (moves > 0) continue;
    ends++;
    const breach = judge.final(state);
    if (breach !== undefined) note(breach, () => store.pathTo(at));
  }
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
