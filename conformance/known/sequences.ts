import type { OpsId } from '../../model/core/ids.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import type { SequenceAspect } from '../sequences/divergence.ts';

/** A place where the model is right to do something else than the recorded kernel did. */
export interface KnownDivergence {
  readonly name: string;
  readonly kernels: readonly KernelVersion[];
  readonly sentence: string;
  /** The source that shows that the model is right. */
  readonly evidence: string;
  /** The operations up to the one that differs, with `; ` between them. */
  readonly ops: OpsId;
  readonly aspect: SequenceAspect;
}

/** A listed divergence that a recording no longer shows is a failure, as one is that is not listed. */
export const KNOWN_DIVERGENCES: readonly KnownDivergence[] = [];
