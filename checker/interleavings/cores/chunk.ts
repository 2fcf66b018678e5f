import type { CallerPart, ClientParts, Work } from '../parts.ts';
import type { SavedWorlds } from '../worlds.ts';

/*
 * One search on several cores. The search itself stays sequential: it visits states in their order and stores what it
 * finds. Helpers, each with a space of its own, visit chunks of states that it has not come to yet, and write down the
 * successors; when the search comes to such a chunk it only stores them.
 *
 * ```text
 *   states     0 … | visited here | chunk of helper 1 | chunk of helper 2 | visited here | … not given out
 *                  ↑ the search
 * ```
 *
 * A log has only numbers of values that the search has numbered already. A state whose visit numbers a value that is new
 * to the helper, or that breaks a law, is left to the search, which visits it when it comes to it. The helper numbers a
 * value where the search would do so, or at an earlier state; that one was left to the search too, or was visited by it.
 * So values, states and breaches have the numbers and the order that a search on one core gives them.
 */

/** Values that a search has numbered since the last message: the next ones of each table. */
export interface Numbered extends SavedWorlds {
  readonly callers: readonly CallerPart[];
  readonly clients: readonly ClientParts[];
  readonly works: readonly (readonly Work[])[];
}

/** States to visit, one after the other, by their halves in the search, two numbers for each. */
export interface ChunkOrder {
  readonly states: Int32Array;
  /** New values and pairs since the last order (`Halves.since()`). */
  readonly halves: Int32Array;
  readonly numbered: Numbered;
}

/**
 * The visits of a chunk. For each state that was visited:
 *
 * ```text
 *   moves   rows   for each row   move   left   right    the halves of a state
 *                                 move   WHOLE  state    where the search has no number for a half
 * ```
 *
 * A state that an earlier row of halves or an earlier order has, has no row: it is stored. States that are left to the
 * search have no entry; each ends a part.
 */
export interface ChunkLog {
  readonly entries: Int32Array;
  readonly parts: readonly ChunkPart[];
}

/** Numbers of an entry before its rows: moves and rows. */
export const ENTRY_HEAD = 2;

/** The numbers of a whole state follow, not its halves. */
export const WHOLE = -1;

/** Visits of states that follow one another. */
export interface ChunkPart {
  readonly states: number;
  /** States that it may add to the store, at most. */
  readonly rows: number;
  /** In how many moves and ends of them each law applied. */
  readonly witnesses: readonly (readonly [law: string, times: number])[];
  /** Instructions of the model that they, and the state that is left to the search, have executed for the first time. */
  readonly executed: readonly number[];
  /** The next state is left to the search. */
  readonly leaves: boolean;
}
