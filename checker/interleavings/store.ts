import { FoundFrom } from './found-from.ts';
import { PairNumbers } from './pair-numbers.ts';
import type { PackedState, StateTree } from './state.ts';
import { ValueNumbers } from './value-numbers.ts';

/** The states of a store: their numbers one after the other, and for each its parent (−1: none) and the move from it. */
export interface SavedStates {
  readonly states: Int32Array;
  readonly parents: Int32Array;
  readonly moves: Int32Array;
}

/**
 * The states that were found, each once, exactly. A state is a tree of pairs, as in LTSmin: most states differ from
 * others in a few numbers only, so that all but the last pair are those of other states. Of which numbers the pairs are
 * decides how many there are: those that follow from one another belong together.
 *
 * ```text
 *   world  client   caller  standing        numbers of values
 *       pair             pair               numbers of pairs
 *               pair                        the number of the state
 * ```
 */
export class Store {
  private readonly values: readonly ValueNumbers[];
  private readonly pairs: readonly PairNumbers[];
  /** For each pair, the places of its two parts: below the width a value, above it a pair before this one. */
  private readonly parts: Int32Array;
  private readonly root: PairNumbers;
  private readonly foundFrom = new FoundFrom();
  /** The numbers of values, then of pairs, of one state. */
  private readonly numbers: Int32Array;
  /** Those of the state that was read last; −1: none was. */
  private readonly latest: Int32Array;
  /** A state to copy: it has room for the numbers, and none for others. */
  private readonly zeros: PackedState;

  /** Of states with a width; without a tree, the next two numbers or pairs that are in no pair yet are the next pair. */
  constructor(
    private readonly width: number,
    tree?: StateTree,
  ) {
    // A state of one number has a second one that is always 0.
    const places = Math.max(width, 2);
    this.values = Array.from({ length: places }, () => new ValueNumbers());
    this.pairs = Array.from({ length: places - 1 }, () => new PairNumbers());
    this.parts = Int32Array.from(tree ?? Array.from({ length: 2 * (places - 1) }, (_, i) => i));
    this.root = this.pairs.at(-1)!;
    this.numbers = new Int32Array(2 * places - 1);
    this.latest = new Int32Array(2 * places - 1).fill(-1);
    this.zeros = Array.from({ length: width }, () => 0);
  }

  get size(): number {
    return this.root.size;
  }

  /** Bytes that are kept for all states. */
  get bytes(): number {
    const tables = [...this.values, ...this.pairs, this.foundFrom];
    return tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Adds a state, unless it is known; answers whether it was new. Most states differ in little from the one that was
   * read last, from which they were found: pairs of the same numbers have the same number, which never changes.
   */
  add(state: PackedState, parent: number, move: number): boolean {
    const { numbers, latest, values, pairs, parts } = this;
    const places = values.length;
    for (let i = 0; i < places; i++) numbers[i] = values[i]!.numberOf(state[i] ?? 0);
    const last = pairs.length - 1;
    for (let i = 0; i < last; i++) {
      const first = parts[2 * i]!;
      const second = parts[2 * i + 1]!;
      const left = numbers[first]!;
      const right = numbers[second]!;
      const isAlike = left === latest[first] && right === latest[second];
      numbers[places + i] = isAlike ? latest[places + i]! : pairs[i]!.numberOf(left, right);
    }
    const { size } = this.root;
    this.root.numberOf(numbers[parts[2 * last]!]!, numbers[parts[2 * last + 1]!]!);
    if (this.root.size === size) return false;
    this.foundFrom.push(parent, move);
    return true;
  }

  /** The number of a state; −1 when it is not there. */
  numberOf(state: PackedState): number {
    const { numbers, values, pairs, parts } = this;
    const places = values.length;
    for (let i = 0; i < places; i++) {
      const number = values[i]!.find(state[i] ?? 0);
      if (number < 0) return -1;
      numbers[i] = number;
    }
    for (let i = 0; i < pairs.length; i++) {
      const number = pairs[i]!.find(numbers[parts[2 * i]!]!, numbers[parts[2 * i + 1]!]!);
      if (number < 0) return -1;
      numbers[places + i] = number;
    }
    return numbers[places + pairs.length - 1]!;
  }

  get(number: number): PackedState {
    const { latest, values, pairs, parts } = this;
    const places = values.length;
    latest[latest.length - 1] = number;
    for (let i = pairs.length - 1; i >= 0; i--) {
      const own = latest[places + i]!;
      latest[parts[2 * i]!] = pairs[i]!.leftOf(own);
      latest[parts[2 * i + 1]!] = pairs[i]!.rightOf(own);
    }
    const state = this.zeros.slice();
    for (let i = 0; i < state.length; i++) state[i] = values[i]!.get(latest[i]!);
    return state;
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
