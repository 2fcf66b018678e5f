import { Store } from '../checker/interleavings/store.ts';
import { PokeSpace } from './poke-space.ts';

/** How large the small model is. */
export interface PokeSize {
  readonly readers: number;
  readonly sites: number;
}

export interface PokeSearched {
  readonly states: number;
  /** Moves from one state to another, or to itself. */
  readonly transitions: number;
  /** Bytes of the store, and of the tables beside it. */
  readonly bytes: number;
}

/** Visits all states of the small model, breadth first; throws when a task crashes in one. */
export function searchPokes({ readers, sites }: PokeSize): PokeSearched {
  const space = new PokeSpace(readers, sites);
  const initial = space.initial();
  const store = new Store(initial.length);
  store.add(initial, -1, 0);
  let transitions = 0;
  let index = 0;
  const emit = (next: number[], move: number) => {
    transitions++;
    store.add(next, index, move);
  };
  for (; index < store.size; index++) space.visit(store.get(index), emit);
  return { states: store.size, transitions, bytes: store.bytes + space.tableBytes };
}
