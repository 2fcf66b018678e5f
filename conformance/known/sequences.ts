import type { OpsId } from '../../model/core/ids.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import type { SequenceAspect } from '../sequences/divergence.ts';

/** A place where the model rightly differs from the recorded kernel. */
export interface KnownDivergence {
  readonly name: string;
  readonly kernels: readonly KernelVersion[];
  readonly sentence: string;
  /** The source that shows that the model is right. */
  readonly evidence: string;
  /** The operations up to the differing one, with `; ` between them. */
  readonly ops: OpsId;
  readonly aspect: SequenceAspect;
}

/** A listed divergence that no recording shows any more is a failure, as is one that is not listed. */
export const KNOWN_DIVERGENCES: readonly KnownDivergence[] = [];
