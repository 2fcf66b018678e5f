import type { Emitters } from '../../../model/trampoline/stage/stubs.ts';
import type { Law } from '../../law/image-law.ts';
import type { Toolchain } from '../../observed/subject.ts';

/** A deliberate fault, as data outside the model, that one law has to catch. */
export interface Planted {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  /** The law that has to find it. */
  readonly law: Law;
  /** The smallest case that shows it, as `printCase()` writes it. */
  readonly smallest: string;
  readonly tools?: (kernel: Toolchain) => Toolchain;
  readonly emitters?: (emitters: Emitters) => Emitters;
}
