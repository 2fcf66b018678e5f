import { item, present } from '../../model/core/present.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { treeOf } from './state.ts';
import { Store } from './store.ts';
import { Symmetry } from './symmetry.ts';

/** A state from which not all can finish. */
export interface LivelockTrap {
  /** Moves from the first state into it: the fewest. */
  readonly path: readonly number[];
  /** The state that they reach. */
  readonly state: PackedState;
  /** Moves from there back to where it can begin again; none: no actor can move. */
  readonly cycle: readonly number[];
}

/** The explored part. */
export interface Lively {
  readonly states: number;
  /** Every state within the bound was visited. Otherwise there is no verdict. */
  readonly complete: boolean;
  readonly trap: LivelockTrap | undefined;
}

/**
 * Explores all states after one (the first, if no other is given) for one from which no run reaches a state where all
 * have finished. If there is none, every fair run finishes, where fair means that a move which is possible infinitely
 * often is made eventually: the holder of a lock runs, a task gets a CPU and wakes up, a grace period ends. A move on
 * which the kernel crashes has no successor, and concerns other laws.
 */
export function lively(space: Space, states = 1e6, from = space.initial()): Lively {
  const graph = graphOf(space, states, from);
  const { store, complete } = graph;
  if (!complete) return { states: store.size, complete, trap: undefined };
  const nearest = nearestTrap(graph);
  const trap = nearest === undefined ? undefined : trapAt(graph, nearest);
  return { states: store.size, complete, trap };
}

/**
 * The trap with the fewest moves to it: a doomed state that is farther away may be a trap sooner than those after a nearer
 * one. Numbers grow with the distance.
 */
function nearestTrap(graph: Graph): number | undefined {
  const explained = leadingTo(graph, graph.finished);
  let nearest = Number.POSITIVE_INFINITY;
  for (let number = 0; number < graph.store.size; number++) {
    if (explained[number] === 1) continue;
    const together = reachedFrom(graph, trappedAt(graph, number));
    nearest = together.reduce((least, other) => Math.min(least, other), nearest);
    leadingTo(graph, together).forEach((leads, other) => {
      if (leads === 1) explained[other] = 1;
    });
  }
  return Number.isFinite(nearest) ? nearest : undefined;
}

/** All states, and the moves between them. */
interface Graph {
  readonly store: Store;
  readonly complete: boolean;
  /** The numbers of states in which all have finished. */
  readonly finished: readonly number[];
  /** For each state, the moves from it and their successors. */
  readonly moves: readonly (readonly (readonly [move: number, next: number])[])[];
}

function graphOf(space: Space, states: number, from: PackedState): Graph {
  const store = new Store(space.layout.width, treeOf(space.layout));
  const symmetry = new Symmetry(space);
  const add = (state: PackedState, parent: number, move: number): number => {
    const canonical = symmetry.merged(state);
    store.add(canonical, parent, move);
    return store.numberOf(canonical);
  };
  const moves: [number, number][][] = [];
  const finished: number[] = [];
  add(from, -1, 0);
  for (let index = 0; index < store.size && store.size < states; index++) {
    const state = store.get(index);
    const found: [number, number][] = [];
    let crashes = false;
    space.visit(state, (move, next) => {
      if (next === undefined) crashes = true;
      else found.push([move, add(next, index, move)]);
    });
    moves.push(found);
    if (crashes || (found.length === 0 && space.hasFinished(state))) finished.push(index);
  }
  return { store, complete: moves.length === store.size, finished, moves };
}

/** Marks the states from which one of some states can be reached. */
function leadingTo({ moves, store }: Graph, goals: readonly number[]): Uint8Array {
  const before: number[][] = Array.from({ length: store.size }, () => []);
  moves.forEach((found, from) => {
    for (const [, to] of found) item(before, to).push(from);
  });
  const marked = new Uint8Array(store.size);
  const open = [...goals];
  for (const goal of goals) marked[goal] = 1;
  for (let index = open.pop(); index !== undefined; index = open.pop())
    for (const from of item(before, index)) {
      if (marked[from] === 1) continue;
      marked[from] = 1;
      open.push(from);
    }
  return marked;
}

/**
 * The nearest state, after a doomed one, from which no actor can move, or which is reachable from all of its
 * successors.
 */
function trappedAt(graph: Graph, from: number): number {
  const behind = reachedFrom(graph, from);
  const stuck = behind.find((number) => item(graph.moves, number).length === 0);
  if (stuck !== undefined) return stuck;
  const returning = behind.find((number) =>
    reachedFrom(graph, number).every((other) => returns(graph, other, number)),
  );
  return present(returning, 'state reachable from all of its successors');
}

function returns(graph: Graph, from: number, to: number): boolean {
  return wayBack(graph, from, to) !== undefined;
}

function reachedFrom({ moves }: Graph, from: number): number[] {
  const found = [from];
  const known = new Set(found);
  for (const index of found)
    for (const [, next] of item(moves, index)) {
      if (known.has(next)) continue;
      known.add(next);
      found.push(next);
    }
  return found;
}

function trapAt(graph: Graph, number: number): LivelockTrap {
  const { store } = graph;
  const cycle = wayBack(graph, number, number) ?? [];
  return { path: store.pathTo(number), state: store.get(number), cycle };
}

/** The shortest way of at least one move; from a state to itself it is a cycle. */
function wayBack({ moves }: Graph, from: number, to: number): number[] | undefined {
  if (from !== to && item(moves, from).length === 0) return undefined;
  const open: [number, readonly number[]][] = [[from, []]];
  const known = new Set<number>();
  for (const [index, path] of open)
    for (const [move, next] of item(moves, index)) {
      if (next === to) return [...path, move];
      if (known.has(next)) continue;
      known.add(next);
      open.push([next, [...path, move]]);
    }
  return undefined;
}
