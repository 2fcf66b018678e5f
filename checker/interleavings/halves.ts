import { PairNumbers } from './pair-numbers.ts';
import type { PackedState, StateTree } from './state.ts';
import { ValueNumbers } from './value-numbers.ts';

/**
 * All of a tree of pairs but the last one: the numbers of values, and of the pairs that are made of them. A state is
 * two of these numbers, its halves. Most states have halves that others have too.
 *
 * ```text
 *   world  client   caller  standing        numbers of values
 *       pair             pair               numbers of pairs
 *       left             right              the halves of a state
 * ```
 *
 * Another thread that takes the same values and pairs in their order gives them the same numbers.
 */
export class Halves {
  /** The halves of the state that was added or found last. */
  left = 0;
  right = 0;
  private readonly values: readonly ValueNumbers[];
  private readonly pairs: readonly PairNumbers[];
  /** For each pair, and then for the state, the places of its two parts: below the width a value, above it a pair before. */
  private readonly parts: Int32Array;
  /** The numbers of values, then of pairs, of one state. */
  private readonly numbers: Int32Array;
  /** Those of the state that was read last; −1: none was. */
  private readonly latest: Int32Array;
  /** A state to copy: it has room for the numbers, and none for others. */
  private readonly zeros: PackedState;

  /** Of states with a width; without a tree, the next two numbers or pairs that are in no pair yet are the next pair. */
  constructor(width: number, tree?: StateTree) {
    // A state of one number has a second one that is always 0.
    const places = Math.max(width, 2);
    this.values = Array.from({ length: places }, () => new ValueNumbers());
    this.pairs = Array.from({ length: places - 2 }, () => new PairNumbers());
    this.parts = Int32Array.from(tree ?? Array.from({ length: 2 * (places - 1) }, (_, i) => i));
    this.numbers = new Int32Array(2 * places - 2);
    this.latest = new Int32Array(2 * places - 2).fill(-1);
    this.zeros = Array.from({ length: width }, () => 0);
  }

  get bytes(): number {
    return [...this.values, ...this.pairs].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Numbers the halves of a state. */
  add(state: PackedState): void {
    this.number(state, true);
  }

  /** Whether the halves of a state have numbers. */
  find(state: PackedState): boolean {
    return this.number(state, false);
  }

  /**
   * Most states differ in little from the one that was read last, from which they were found: pairs of the same numbers
   * have the same number, which never changes. Answers false for a state with a part that has no number, unless it adds.
   */
  private number(state: PackedState, adds: boolean): boolean {
    const { numbers, latest, values, pairs, parts } = this;
    const places = values.length;
    for (let i = 0; i < places; i++) {
      const value = state[i] ?? 0;
      const number = adds ? values[i]!.numberOf(value) : values[i]!.find(value);
      if (number < 0) return false;
      numbers[i] = number;
    }
    for (let i = 0; i < pairs.length; i++) {
      const first = parts[2 * i]!;
      const second = parts[2 * i + 1]!;
      const left = numbers[first]!;
      const right = numbers[second]!;
      let number: number;
      if (left === latest[first] && right === latest[second]) number = latest[places + i]!;
      else number = adds ? pairs[i]!.numberOf(left, right) : pairs[i]!.find(left, right);
      if (number < 0) return false;
      numbers[places + i] = number;
    }
    this.left = numbers[parts[parts.length - 2]!]!;
    this.right = numbers[parts[parts.length - 1]!]!;
    return true;
  }

  /** The state that has these halves. */
  read(left: number, right: number): PackedState {
    const { latest, values, pairs, parts } = this;
    const places = values.length;
    latest[parts[parts.length - 2]!] = left;
    latest[parts[parts.length - 1]!] = right;
    for (let i = pairs.length - 1; i >= 0; i--) {
      const own = latest[places + i]!;
      latest[parts[2 * i]!] = pairs[i]!.leftOf(own);
      latest[parts[2 * i + 1]!] = pairs[i]!.rightOf(own);
    }
    const state = this.zeros.slice();
    for (let i = 0; i < state.length; i++) state[i] = values[i]!.get(latest[i]!);
    return state;
  }

  /** How much of each table a thread knows that has taken nothing yet. */
  nothing(): Int32Array {
    return new Int32Array(this.values.length + this.pairs.length);
  }

  /**
   * The values and pairs that came since then, and are known from now on: for each table how many numbers follow, and
   * those, of a value itself, of a pair its two parts.
   */
  since(known: Int32Array): Int32Array {
    const tables = [...this.values, ...this.pairs];
    const added = tables.map((table, i) => table.since(known[i]!));
    const all = new Int32Array(added.reduce((sum, { length }) => sum + 1 + length, 0));
    let end = 0;
    for (const [i, numbers] of added.entries()) {
      known[i] = tables[i]!.size;
      all[end++] = numbers.length;
      all.set(numbers, end);
      end += numbers.length;
    }
    return all;
  }

  /** Takes the values and pairs that came in another thread. */
  learn(added: Int32Array): void {
    let start = 0;
    const next = () => {
      const from = start + 1;
      start = from + added[start]!;
      return added.subarray(from, start);
    };
    for (const table of this.values) for (const value of next()) table.numberOf(value);
    for (const table of this.pairs) {
      const parts = next();
      for (let i = 0; i < parts.length; i += 2) table.numberOf(parts[i]!, parts[i + 1]!);
    }
  }
}
