import { byMechanism, recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { ownInterleavings } from '../../conformance/known/task-kernels.ts';
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

/** Those of calls and of interleavings that no design of multi links is needed for. */
export function listedBreaches(): ListedBreach[] {
  const interleaved = ownInterleavings().map(({ entry, kernels }): ListedBreach => {
    const { name, sentence, evidence, restsOn } = entry;
    return { name, sentence, evidence, kernels, restsOn };
  });
  return [...ofCalls(), ...interleaved];
}

function ofCalls(): ListedBreach[] {
  const real = KNOWN_ATTACH.filter(({ multiLinks }) => multiLinks === undefined);
  return [...byMechanism(real)].map(([name, own]) => {
    const [{ sentence, evidence }] = own;
    const restsOn = [...new Set(own.flatMap((entry) => entry.restsOn ?? []))];
    return { name, sentence, evidence, kernels: recordedKernelsOf(own), restsOn };
  });
}
