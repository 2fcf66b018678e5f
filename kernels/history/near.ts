import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { SEED_STEP } from '../../checker/sequences/search.ts';
import { shuffled } from '../../checker/sequences/shuffled.ts';
import { variationOf } from '../../checker/sequences/variations.ts';
import { item } from '../../model/core/present.ts';
import type { Purpose } from './drawn.ts';
import { mayBe } from './drawn.ts';

/** The histories of a seed by their number, from 0, each near another one of some, in an order of the seed. */
export class NearHistories {
  private readonly near: readonly AttachCase[];

  constructor(
    near: readonly AttachCase[],
    private readonly seed: number,
    private readonly purpose: Purpose,
  ) {
    this.near = shuffled(near, seed);
  }

  at(n: number): AttachCase {
    const drawn = variationOf(item(this.near, n % this.near.length), (this.seed + n * SEED_STEP) | 0);
    return { ...drawn, actions: drawn.actions.filter((action) => mayBe(this.purpose, action)) };
  }
}
