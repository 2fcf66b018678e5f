import type { Flavour } from '../../model/core/part.ts';
import type { FreedKind } from '../waits/freed-memory.ts';

/** Breaches seen in what is waited for before memory is freed. */
export type WaitFinding = {
  readonly is: 'freed-early';
  readonly kind: FreedKind['is'];
  readonly name: string;
  /** The grace period that has not passed since a call could find it. */
  readonly lacking: Flavour;
  /** Those that have. */
  readonly periods: readonly Flavour[];
};
