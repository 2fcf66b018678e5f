import type { Behaviours } from '../../checker/refinement/behaviours.ts';
import type { Ground, Offer } from '../../checker/refinement/bound.ts';
import { groundsFor, offerOf } from '../../checker/refinement/bound.ts';
import type { ComparedDesigns } from '../../checker/refinement/refinement.ts';
import { refinement } from '../../checker/refinement/refinement.ts';
import type { History } from '../../checker/refinement/retelling.ts';
import type { Exit } from '../answer.ts';
import { EXIT } from '../answer.ts';

/** The result of comparing them on two functions. */
export interface Refined extends Pick<History, 'profiles' | 'functions'> {
  readonly offer: Offer;
  readonly compared: ComparedDesigns;
  /** Operations of a history, at most. */
  readonly length: number;
}

/** Compares two kernels on two functions. It yields until its requests are answered, and receives whether to stop. */
export function* refine(
  profiles: History['profiles'],
  { functions, length, goesOn }: Ground,
  behaviours: Behaviours,
): Generator<void, Refined, boolean> {
  const [name, other] = profiles;
  const [a, b] = [behaviours.of(name, functions), behaviours.of(other, functions)];
  const offer = yield* offerOf(profiles, [a, b], functions);
  const compared = yield* refinement({ a, b, alphabet: offer.alphabet, length, goesOn });
  return { profiles, functions, offer, compared, length };
}

/** Compares two kernels on one scope after the other, up to the first on which they differ. */
export function* refineOnGrounds(
  profiles: History['profiles'],
  operations: number,
  behaviours: Behaviours,
): Generator<void, readonly Refined[], boolean> {
  const all: Refined[] = [];
  for (const ground of yield* groundsFor(profiles, operations, behaviours)) {
    const refined = yield* refine(profiles, ground, behaviours);
    all.push(refined);
    if (exitOf(refined) !== EXIT.HELD) break;
  }
  return all;
}

/** A search that was stopped leaves the question open, and so does one that had nothing to compare. */
export function exitOf({ compared: { found, length, operations }, length: most }: Refined): Exit {
  if (found.length > 0) return EXIT.BROKEN;
  return length < most || operations === 0 ? EXIT.INCONCLUSIVE : EXIT.HELD;
}
