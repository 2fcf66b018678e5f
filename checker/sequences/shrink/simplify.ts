import { item } from '../../../model/core/present.ts';
import type { AttachCase } from '../attach-case.ts';
import { withoutObjects, withoutOneOrTwo, withoutParts } from './fewer.ts';
import { withActionsMoved, withActionsOfOthers, withoutOneAndOneMoved } from './places.ts';
import { withPlainerActions } from './plainer-actions.ts';
import { withAnotherFunction, withPlainerFunctions } from './plainer-functions.ts';
import { withPlainerTracepoints } from './plainer-tracepoints.ts';
import type { Written } from './plainness.ts';
import { asNamed, compare, compareFigures, measured, written } from './plainness.ts';
import { withAnAttachInstead, withAnotherClient, withTwoOtherClients } from './substitute.ts';

/** Whether a sequence still fails. */
export type Fails = (c: AttachCase) => boolean;

/** Neighbours of a sequence, of which some may be simpler. */
type Neighbours = (c: AttachCase) => AttachCase[];

/** The simplifications, the cheapest first: each begins only when those before it find nothing more. */
const PASSES: readonly Neighbours[] = [
  withoutObjects,
  withoutOneOrTwo,
  withPlainerActions,
  // An unused tracepoint goes before an unused function: with neither, a sequence is on nothing.
  withPlainerTracepoints,
  withPlainerFunctions,
  withAnotherFunction,
  withActionsOfOthers,
  withActionsMoved,
  withoutOneAndOneMoved,
  withAnotherClient,
  withAnAttachInstead,
  withTwoOtherClients,
];

/**
 * The simplest sequence that can be reached from a failing one (by the order of `plainness.ts`): no action can be
 * left out, moved or simplified, and no one or two clients be replaced by simpler ones. Different searches for the
 * same bug then end at the same sequence.
 */
export function simplify(first: AttachCase, fails: Fails): AttachCase {
  const short = measured(shortened(first, fails));
  const named = written(short);
  let c = fails(named.case) ? named : asNamed(short);
  const tried = new Set<string>();
  for (let pass = 0; pass < PASSES.length; ) {
    const plainer = plainestThatFails(c, item(PASSES, pass), tried, fails);
    if (plainer !== undefined) c = plainer;
    pass = plainer === undefined ? pass + 1 : 0;
  }
  return c.case;
}

/** Leaves out large parts, then smaller ones, until no single action can be left out. */
function shortened(first: AttachCase, fails: Fails): AttachCase {
  let c = first;
  for (let size = c.actions.length >> 1; size >= 1; ) {
    const shorter = withoutParts(c, size).find(fails);
    if (shorter === undefined) size >>= 1;
    else c = shorter;
  }
  return c;
}

/** The plainest of the neighbours that fail and have not been tried. */
function plainestThatFails(
  c: Written,
  neighbours: Neighbours,
  tried: Set<string>,
  fails: Fails,
): Written | undefined {
  const candidates = neighbours(c.case)
    .filter(({ actions }) => actions.length > 0)
    .map(measured)
    .filter((candidate) => compareFigures(candidate, c) <= 0)
    .map(written)
    .filter((candidate) => compare(candidate, c) < 0 && !tried.has(candidate.text))
    .sort(compare);
  return candidates.find((candidate) => {
    if (tried.has(candidate.text)) return false;
    tried.add(candidate.text);
    return fails(candidate.case);
  });
}
