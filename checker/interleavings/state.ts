import type { Condition } from '../../model/task/grace-period.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';

/**
 * A state of a scenario, as numbers of its parts in the tables of a `Space`:
 *
 * ```text
 *   world   (caller, standing) for each caller   one for each client   background work
 * ```
 */
export type PackedState = number[];

export const WORLD = 0;
export const CALLERS = 1;

/** The number of a state's world. No check in these: the explorer reads them several times a move. */
export function worldIn(state: PackedState): number {
  return state[WORLD]!;
}

/** The number of a caller's part. */
export function callerIn(state: PackedState, i: number): number {
  return state[CALLERS + 2 * i]!;
}

/** The condition of a caller. */
export function standingIn(state: PackedState, i: number): number {
  return state[CALLERS + 2 * i + 1]!;
}

/** The number of a client's part. */
export function clientIn(state: PackedState, { clientsAt }: StateLayout, i: number): number {
  return state[clientsAt + i]!;
}

/** The number of the background work. */
export function worksIn(state: PackedState, { worksAt }: StateLayout): number {
  return state[worksAt]!;
}

export interface StateLayout {
  readonly callers: number;
  readonly clients: number;
  readonly cpus: number;
  /** The offsets of clients and background work in a state, and the length of a state. */
  readonly clientsAt: number;
  readonly worksAt: number;
  readonly width: number;
}

export function layoutOf({ callers, clients, cpus }: Scenario): StateLayout {
  const clientsAt = CALLERS + 2 * callers.length;
  const worksAt = clientsAt + clients.length;
  return {
    callers: callers.length,
    clients: clients.length,
    cpus,
    clientsAt,
    worksAt,
    width: worksAt + 1,
  };
}

/**
 * How the numbers of a state are joined, two by two: the places of both parts of each pair, one after the other. Below the
 * width it is that of a number, above it that of a pair before. The last pair is the whole state.
 */
export type StateTree = readonly number[];

/**
 * The tree with few different pairs: clients and background work are nearly always the same in a world, while
 * callers have a few hundred places, each of which is possible in nearly every world.
 */
export function treeOf({ callers, clients, clientsAt, worksAt, width }: StateLayout): StateTree {
  const tree: number[] = [];
  const join = (left: number, right: number) => width - 1 + tree.push(left, right) / 2;
  let own = worksAt;
  for (let i = 0; i < clients; i++) own = join(clientsAt + i, own);
  own = join(WORLD, own);
  let standing: number | undefined;
  for (let i = 0; i < callers; i++) {
    const caller = join(CALLERS + 2 * i, CALLERS + 2 * i + 1);
    standing = standing === undefined ? caller : join(standing, caller);
  }
  if (standing !== undefined) join(own, standing);
  return tree;
}

/*
 * A caller's standing: its condition, the CPU that it is on or has to return to, and how many operations of
 * each client had ended when its call began.
 *
 * ```text
 *   bits 0–2   NOT_BEGUN, OVER, RUNNING, PREEMPTED, ASLEEP
 *   bits 3–6   CPU + 1, or 0
 *   bits 7–    ended operations
 * ```
 */
export const NOT_BEGUN = 0;
export const OVER = 1;
export const RUNNING = 2;
export const PREEMPTED = 3;
export const ASLEEP = 4;

export function standing(condition: number, cpu: number, since: EndedCounts): number {
  return condition | ((cpu + 1) << 3) | (since << 7);
}

export function conditionIn(standing: number): number {
  return standing & 7;
}

/** Number of the CPU; −1: none. */
export function cpuIn(standing: number): number {
  return ((standing >> 3) & 15) - 1;
}

export function sinceIn(standing: number): EndedCounts {
  return standing >> 7;
}

/** How many operations of each client have ended, as one number: an octal digit each, the first client's lowest. */
export type EndedCounts = number;

export function packCounts(clients: number, endedOf: (client: number) => number): EndedCounts {
  let all = 0;
  for (let i = clients - 1; i >= 0; i--) all = 8 * all + endedOf(i);
  return all;
}

export function countOf(all: EndedCounts, client: number): number {
  return Math.floor(all / 8 ** client) % 8;
}

const CONDITIONS: readonly Condition[] = ['outside', 'outside', 'running', 'preempted', 'asleep'];

/** The name of a condition for grace periods. */
export function conditionNamed(standing: number): Condition {
  return CONDITIONS[conditionIn(standing)]!;
}
