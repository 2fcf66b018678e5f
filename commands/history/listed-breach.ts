import type { KnownAttach } from '../../conformance/known/attach.ts';
import { byMechanism, recordedKernelsOf } from '../../conformance/known/attach.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';

/** A breach of real kernels, by its mechanism: several laws may see it. */
export interface ListedBreach {
  readonly name: string;
  readonly sentence: string;
  readonly evidence: string;
  readonly kernels: readonly RecordedVersion[];
  /** The behaviours without which it is not there. */
  readonly restsOn: readonly string[];
}

/** Those that no design of multi links is needed for. */
export function breachesOf(entries: readonly KnownAttach[]): ListedBreach[] {
  const real = entries.filter(({ multiLinks }) => multiLinks === undefined);
  return [...byMechanism(real)].map(([name, own]) => {
    const [{ sentence, evidence }] = own;
    const restsOn = [...new Set(own.flatMap((entry) => entry.restsOn ?? []))];
    return { name, sentence, evidence, kernels: recordedKernelsOf(own), restsOn };
  });
}
