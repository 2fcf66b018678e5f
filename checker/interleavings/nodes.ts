import type { StatePaths } from './cause/history.ts';
import { NumberList } from './number-list.ts';
import { NONE } from './runners.ts';
import type { PackedState } from './state.ts';
import type { Store } from './store.ts';

/** The nodes of a bounded search beside its states, as plain data. */
export interface SavedNodes {
  /** For each state: the actors with which it was found, those whose moves were explored, and the first. */
  readonly found: Int32Array;
  readonly done: Int32Array;
  readonly last: Int32Array;
  /** For each further node: its state, its parent, the move from there, and the actor that has run last. */
  readonly further: readonly Int32Array[];
}

/** All actors. */
export const ALL = -1;

/**
 * States, each with the actor that has run last: a node. The first node of a state has the state's number; those
 * with other actors have negative ones, from −2 down.
 */
export class Nodes implements StatePaths {
  private readonly found = new NumberList();
  private readonly done = new NumberList();
  private readonly last = new NumberList();
  private readonly further = [
    new NumberList(),
    new NumberList(),
    new NumberList(),
    new NumberList(),
  ] as const;

  constructor(readonly store: Store) {}

  get bytes(): number {
    return [this.found, this.done, this.last, ...this.further].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** How many nodes there are beside the first ones of states. */
  get others(): number {
    return this.further[0].length;
  }

  /** The node with that place among those, and the place of such a node. */
  static other(index: number): number {
    return -2 - index;
  }

  /** The number of a node's state. */
  stateOf(node: number): number {
    return node >= 0 ? node : this.further[0].get(Nodes.other(node));
  }

  get(node: number): PackedState {
    return this.store.get(this.stateOf(node));
  }

  parentOf(node: number): number {
    return node >= 0 ? this.store.parentOf(node) : this.further[1].get(Nodes.other(node));
  }

  moveTo(node: number): number {
    return node >= 0 ? this.store.moveTo(node) : this.further[2].get(Nodes.other(node));
  }

  /** The actor that has run last; `NONE`: it has ended. */
  lastOf(node: number): number {
    return node >= 0 ? this.last.get(node) : this.further[3].get(Nodes.other(node));
  }

  pathTo(node: number): number[] {
    const path: number[] = [];
    for (let own = node; this.parentOf(own) !== -1; own = this.parentOf(own)) path.push(this.moveTo(own));
    return path.reverse();
  }

  /**
   * Adds a node, unless its state is among the first `earlier` ones, or was found with the same actor, or with none:
   * those allow the same moves with no more preemptions.
   */
  add(state: PackedState, earlier: number, parent: number, move: number, last: number): void {
    const actor = last === NONE ? ALL : 1 << last;
    if (this.store.add(state, parent, move)) {
      this.found.push(actor);
      this.done.push(0);
      this.last.push(last);
      return;
    }
    const number = this.store.numberOf(state);
    if (number < earlier || (this.found.get(number) & actor) === actor) return;
    this.found.set(number, this.found.get(number) | actor);
    [number, parent, move, last].forEach((value, i) => {
      this.further[i]!.push(value);
    });
  }

  /** The actors of a state whose moves were explored, as a bit set. */
  doneIn(state: number): number {
    return this.done.get(state);
  }

  /** Marks the moves of some actors as explored. */
  finish(state: number, actors: number): void {
    this.done.set(state, this.done.get(state) | actors);
  }

  saved(): SavedNodes {
    return {
      found: this.found.saved(),
      done: this.done.saved(),
      last: this.last.saved(),
      further: this.further.map((list) => list.saved()),
    };
  }

  /** Puts saved nodes into a new list, whose states are restored. */
  restore({ found, done, last, further }: SavedNodes): void {
    // The first state is there from the start.
    this.found.restore(found.subarray(this.found.length));
    this.done.set(0, done[0]!);
    this.done.restore(done.subarray(this.done.length));
    this.last.restore(last.subarray(this.last.length));
    further.forEach((list, i) => {
      this.further[i]!.restore(list);
    });
  }
}
