import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { TaskBreach } from './judge.ts';
import { Judge } from './judge.ts';
import { lively } from './liveness.ts';
import type { IsSought } from './nearest-breach.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

/*
 * A reduced space takes a move that nothing can see as soon as it is possible, and explores no other move of that state.
 * Every breach is found so, but its path may hold such moves that it does not need:
 *
 * ```text
 *   reduced     a  b  (unseen)  (unseen)  c  breach
 *   whole       a  b  c  breach
 * ```
 */

/** A path to a breach of a law. */
export interface WayToBreach {
  readonly breach: TaskBreach;
  /** Moves to the breach. */
  readonly path: readonly number[];
  /** Those of a trap from there back to it. */
  readonly cycle: readonly number[];
}

/** The shortest one, in the space to which its moves belong. */
export interface ShortestWay extends WayToBreach {
  readonly space: Space;
  /** All shorter paths of the whole space were explored. */
  readonly proved: boolean;
}

/** States of a whole space that are explored at most. */
const STATES = 400_000;

/**
 * A path without any move that the breach does not need: the fewest moves in the space without a reduction. Any breach of
 * the law counts, or any of those that are sought.
 */
export function shortestWay(
  reduced: Space,
  way: WayToBreach,
  isSought: IsSought = () => true,
  states = STATES,
): ShortestWay {
  const { scenario, program, grain, symmetric } = reduced;
  const space = new Space(scenario, { program, grain, symmetric, reduce: false });
  const { law } = way.breach;
  const { shorter, proved } =
    law.isLiveness === true
      ? shorterTrap(space, law, way, states)
      : shorterPath(space, way, isSought, states);
  return shorter === undefined ? { ...way, space: reduced, proved } : { ...shorter, space, proved };
}

interface Shorter {
  readonly shorter: WayToBreach | undefined;
  readonly proved: boolean;
}

function shorterPath(
  space: Space,
  { breach: { law }, path }: WayToBreach,
  isSought: IsSought,
  states: number,
): Shorter {
  const { breaches, depth, complete } = explore(space, {
    laws: [law],
    states,
    depth: path.length,
    nameOf: (breach) => (breach.law === law && isSought(breach) ? undefined : 'another breach'),
  });
  const found = breaches.find(({ known }) => known === undefined);
  const proved = found !== undefined || complete || depth >= path.length;
  if (found === undefined || found.path.length >= path.length) return { shorter: undefined, proved };
  return { shorter: { breach: found, path: found.path, cycle: [] }, proved };
}

function shorterTrap(space: Space, law: TaskLaw, { path }: WayToBreach, states: number): Shorter {
  const { trap, complete: proved } = lively(space, states);
  const isShorter = trap !== undefined && trap.path.length < path.length;
  const breach = isShorter ? new Judge(space, [law], space.program).trapped(trap) : undefined;
  const shorter = trap && breach && { breach, path: trap.path, cycle: trap.cycle };
  return { shorter, proved };
}
