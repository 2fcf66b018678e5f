import type { PackedState } from './state.ts';

/** The states of a store: their numbers one after the other, and for each its parent (−1: none) and the move from it. */
export interface SavedStates {
  readonly states: Int32Array;
  readonly parents: Int32Array;
  readonly moves: Int32Array;
}

/**
 * The states that were found, each once, exactly: the numbers of a state are in one array, one state after the other,
 * and a hash table finds them. Each has the state that it was found from, and the move.
 */
export class Store {
  private pool: Int32Array;
  private table: Int32Array;
  private parents: Int32Array;
  private moves: Int32Array;
  private count = 0;

  constructor(private readonly width: number) {
    this.pool = new Int32Array(width * 1024);
    this.parents = new Int32Array(1024);
    this.moves = new Int32Array(1024);
    this.table = new Int32Array(2048);
  }

  get size(): number {
    return this.count;
  }

  /** Bytes that are kept for all states. */
  get bytes(): number {
    return 4 * (this.pool.length + this.table.length + this.parents.length + this.moves.length);
  }

  /** Adds a state, unless it is known; answers whether it was new. */
  add(state: PackedState, parent: number, move: number): boolean {
    const mask = this.table.length - 1;
    let slot = hashOf(state, this.width) & mask;
    for (let index = this.table[slot]!; index !== 0; index = this.table[slot]!) {
      if (this.isAt(state, index - 1)) return false;
      slot = (slot + 1) & mask;
    }
    const number = this.count++;
    this.makeRoom();
    const from = number * this.width;
    for (let i = 0; i < this.width; i++) this.pool[from + i] = state[i]!;
    this.parents[number] = parent;
    this.moves[number] = move;
    this.table[slot] = number + 1;
    if (this.count * 2 > this.table.length) this.growTable();
    return true;
  }

  /** The number of a state; −1 when it is not there. */
  numberOf(state: PackedState): number {
    const mask = this.table.length - 1;
    let slot = hashOf(state, this.width) & mask;
    while (this.table[slot] !== 0 && !this.isAt(state, this.table[slot]! - 1)) slot = (slot + 1) & mask;
    return this.table[slot]! - 1;
  }

  get(number: number): PackedState {
    const from = number * this.width;
    const state: PackedState = [];
    for (let i = 0; i < this.width; i++) state.push(this.pool[from + i]!);
    return state;
  }

  /** The state that one was found from; −1: it is the first. */
  parentOf(number: number): number {
    return this.parents[number]!;
  }

  /** The move that it was found by. */
  moveTo(number: number): number {
    return this.moves[number]!;
  }

  /** The moves to a state from the first one. */
  pathTo(number: number): number[] {
    const path: number[] = [];
    for (let index = number; this.parents[index]! >= 0; index = this.parents[index]!)
      path.push(this.moves[index]!);
    return path.reverse();
  }

  /** All states, in their order, as plain data. */
  saved(): SavedStates {
    return {
      states: this.pool.slice(0, this.count * this.width),
      parents: this.parents.slice(0, this.count),
      moves: this.moves.slice(0, this.count),
    };
  }

  /** Adds the states of another store, in their order. */
  restore({ states, parents, moves }: SavedStates): void {
    for (let number = 0; number < parents.length; number++) {
      const from = number * this.width;
      this.add([...states.subarray(from, from + this.width)], parents[number]!, moves[number]!);
    }
  }

  private isAt(state: PackedState, number: number): boolean {
    const from = number * this.width;
    for (let i = 0; i < this.width; i++) if (this.pool[from + i] !== state[i]) return false;
    return true;
  }

  private makeRoom(): void {
    if (this.count <= this.parents.length) return;
    this.pool = grown(this.pool);
    this.parents = grown(this.parents);
    this.moves = grown(this.moves);
  }

  private growTable(): void {
    this.table = new Int32Array(2 * this.table.length);
    const mask = this.table.length - 1;
    for (let number = 0; number < this.count; number++) {
      let slot = hashOfRow(this.pool, number * this.width, this.width) & mask;
      while (this.table[slot] !== 0) slot = (slot + 1) & mask;
      this.table[slot] = number + 1;
    }
  }
}

function grown(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

function hashOf(state: PackedState, width: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < width; i++) hash = mixed(hash, state[i]!);
  return finished(hash);
}

function hashOfRow(pool: Int32Array, from: number, width: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < width; i++) hash = mixed(hash, pool[from + i]!);
  return finished(hash);
}

function mixed(hash: number, value: number): number {
  const h = Math.imul(hash ^ value, 0x9e3779b1);
  return h ^ (h >>> 15);
}

function finished(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return (h ^ (h >>> 16)) >>> 0;
}
