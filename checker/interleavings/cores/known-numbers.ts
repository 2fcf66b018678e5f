import type { SpaceTables } from '../space-tables.ts';
import type { PackedState } from '../state.ts';
import { CALLERS, WORLD } from '../state.ts';
import type { Numbered } from './chunk.ts';

/** The numbers of values of one table in the search, and here. */
class TableNumbers {
  readonly here: number[] = [];
  /** By the number here; a hole: the search has not numbered it yet. */
  readonly there: number[] = [];

  /** The next number of the search is that of a value with this number here. */
  push(here: number): void {
    this.there[here] = this.here.push(here) - 1;
  }
}

/** The numbers of values in a space, and in that of the search that it helps: each has numbered them in its own order. */
export class KnownNumbers {
  private readonly parts = new TableNumbers();
  private readonly worlds = new TableNumbers();
  private readonly callers = new TableNumbers();
  private readonly clients = new TableNumbers();
  private readonly works = new TableNumbers();
  /** For each place of a state the numbers of its table; undefined: conditions of callers, which are the same in both. */
  private readonly here: readonly (readonly number[] | undefined)[];
  private readonly there: readonly (readonly number[] | undefined)[];

  constructor(private readonly space: SpaceTables) {
    const { width, clientsAt, worksAt } = space.layout;
    const tables = Array.from({ length: width }, (_, place) => {
      if (place === WORLD) return this.worlds;
      if (place < clientsAt) return (place - CALLERS) % 2 === 0 ? this.callers : undefined;
      return place < worksAt ? this.clients : this.works;
    });
    this.here = tables.map((table) => table?.here);
    this.there = tables.map((table) => table?.there);
  }

  /** How many values the space has numbered, in all tables. */
  get count(): number {
    const { worlds, callers, clients, works } = this.space;
    return worlds.size + worlds.partCount + callers.size + clients.size + works.size;
  }

  /** The rank of a caller in the order of the search: by this callers are sorted in both. */
  readonly rankOf = (caller: number): number => this.callers.there[caller] ?? caller;

  /** Takes the next values that the search has numbered. */
  learn({ parts, worlds, callers, clients, works }: Numbered): void {
    const { space } = this;
    for (const part of parts) this.parts.push(space.worlds.partNumber(part));
    for (const world of worlds)
      this.worlds.push(space.worlds.numberOf(world.map((part) => this.parts.here[part]!)));
    for (const caller of callers) this.callers.push(space.callers.numberOf(caller));
    for (const client of clients) this.clients.push(space.clients.numberOf(client));
    for (const work of works) this.works.push(space.works.numberOf(work));
  }

  /** A state in numbers of the search, in those here: the same array. */
  toHere(state: PackedState): PackedState {
    const { here } = this;
    for (let place = 0; place < here.length; place++) {
      const there = state[place]!;
      state[place] = here[place]?.[there] ?? there;
    }
    return state;
  }

  /** Writes a state in numbers of the search; answers false if it has no number for a part of it. */
  write(state: PackedState, to: PackedState): boolean {
    const { there } = this;
    for (let place = 0; place < there.length; place++) {
      const numbers = there[place];
      const here = state[place]!;
      const number = numbers === undefined ? here : numbers[here];
      if (number === undefined) return false;
      to[place] = number;
    }
    return true;
  }
}
