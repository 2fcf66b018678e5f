import fc from 'fast-check';
import { item } from '../../../model/core/present.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { SEED_STEP } from '../../sequences/search.ts';
import { shuffled } from '../../sequences/shuffled.ts';
import { possibleSpace } from '../possible-space.ts';
import { scenariosNear } from './near-scenario.ts';

/** What others are drawn near. */
export interface NearScenarios {
  /** In one kernel. */
  readonly near: readonly Scenario[];
  /** Whether a breach in a drawn one is the kernel's. */
  readonly meetsPremises: (scenario: Scenario) => boolean;
}

/** Scenarios that are drawn near one until one of them can be searched. */
const TRIES = 20;

/**
 * Scenarios near each of some, one after the other in an order of the seed: the same seed draws the same. Where none of
 * those that are drawn can be searched, it is the one that they are near.
 */
export function* nearbyScenarios(
  { near, meetsPremises }: NearScenarios,
  seed: number,
  count: number,
): Generator<Scenario> {
  const bases = shuffled(near, seed).map((base) => ({ base, drawn: scenariosNear(base) }));
  for (let nth = 0; nth < count; nth++) {
    const { base, drawn } = item(bases, nth % bases.length);
    const tries = fc.sample(fc.infiniteStream(drawn), { seed: (seed + nth * SEED_STEP) | 0, numRuns: 1 });
    const mayBe = (scenario: Scenario) =>
      meetsPremises(scenario) && possibleSpace(scenario, { symmetric: false }) !== undefined;
    yield item(tries, 0).take(TRIES).filter(mayBe).next().value ?? base;
  }
}
