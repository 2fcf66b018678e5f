import { FoundFrom } from './found-from.ts';
import { Halves } from './halves.ts';
import { PairNumbers } from './pair-numbers.ts';
import type { PackedState, StateTree } from './state.ts';

/** The states of a store: their numbers one after the other, and for each its parent (−1: none) and the move from it. */
export interface SavedStates {
  readonly states: Int32Array;
  readonly parents: Int32Array;
  readonly moves: Int32Array;
}

/**
 * The states that were found, each once, exactly. A state is a tree of pairs, as in LTSmin: most states differ from
 * others in a few numbers only, so that all but the last pair are those of other states. Of which numbers the pairs are
 * decides how many there are: those that follow from one another belong together. The last pair is that of both halves of
 * a state, and its number is that of the state.
 */
export class Store {
  readonly halves: Halves;
  private readonly root = new PairNumbers();
  private readonly foundFrom = new FoundFrom();

  constructor(
    private readonly width: number,
    tree?: StateTree,
  ) {
    this.halves = new Halves(width, tree);
  }

  get size(): number {
    return this.root.size;
  }

  /** Its table of states becomes larger with one of the next few thousand, which takes a while. */
  get growsSoon(): boolean {
    return this.root.growsSoon;
  }

  /** Bytes that are kept for all states. */
  get bytes(): number {
    return this.halves.bytes + this.root.bytes + this.foundFrom.bytes;
  }

  /** Adds a state, unless it is known; answers whether it was new. */
  add(state: PackedState, parent: number, move: number): boolean {
    const { halves } = this;
    halves.add(state);
    return this.addHalves(halves.left, halves.right, parent, move);
  }

  /** The same for a state whose halves have numbers. */
  addHalves(left: number, right: number, parent: number, move: number): boolean {
    const { root } = this;
    const { size } = root;
    root.numberOf(left, right);
    if (root.size === size) return false;
    this.foundFrom.push(parent, move);
    return true;
  }

  /** The number of a state; −1 when it is not there. */
  numberOf(state: PackedState): number {
    const { halves } = this;
    return halves.find(state) ? this.root.find(halves.left, halves.right) : -1;
  }

  get(number: number): PackedState {
    return this.halves.read(this.root.leftOf(number), this.root.rightOf(number));
  }

  /** The halves of some states from one on, two numbers for each. */
  halvesOf(from: number, count: number): Int32Array {
    const all = new Int32Array(2 * count);
    for (let i = 0; i < count; i++) {
      all[2 * i] = this.root.leftOf(from + i);
      all[2 * i + 1] = this.root.rightOf(from + i);
    }
    return all;
  }

  /** The state that one was found from; −1: it is the first. */
  parentOf(number: number): number {
    return this.foundFrom.parentOf(number);
  }

  /** The move that it was found by. */
  moveTo(number: number): number {
    return this.foundFrom.moveTo(number);
  }

  /** The moves to a state from the first one. */
  pathTo(number: number): number[] {
    const path: number[] = [];
    let own = number;
    for (let parent = this.parentOf(own); parent >= 0; parent = this.parentOf(own)) {
      path.push(this.moveTo(own));
      own = parent;
    }
    return path.reverse();
  }

  /** All states, in their order, as plain data. */
  saved(): SavedStates {
    const { size, width } = this;
    const states = new Int32Array(size * width);
    for (let number = 0; number < size; number++) states.set(this.get(number), number * width);
    return { states, ...this.foundFrom.saved() };
  }

  /** Adds the states of another store, in their order. */
  restore({ states, parents, moves }: SavedStates): void {
    for (let number = 0; number < parents.length; number++) {
      const from = number * this.width;
      this.add([...states.subarray(from, from + this.width)], parents[number]!, moves[number]!);
    }
  }
}
