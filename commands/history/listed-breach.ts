import type { KnownAttach } from '../../conformance/known/attach.ts';
import { mechanismName } from '../../conformance/known/attach.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS } from '../../model/core/profile.ts';

/** A breach of real kernels, by its mechanism: several laws may see it. */
export interface ListedBreach {
  readonly name: string;
  readonly sentence: string;
  readonly evidence: string;
  readonly kernels: readonly KernelVersion[];
  /** The behaviours without which it is not there. */
  readonly restsOn: readonly string[];
}

/** Those that no design of multi links is needed for. */
export function breachesOf(entries: readonly KnownAttach[]): ListedBreach[] {
  const found = new Map<string, ListedBreach>();
  for (const entry of entries) {
    if (entry.multiLinks !== undefined) continue;
    const name = mechanismName(entry.name);
    const before = found.get(name);
    const kernels = KERNELS.filter(
      (kernel) => entry.kernels.includes(kernel) || before?.kernels.includes(kernel) === true,
    );
    const restsOn = [...new Set([...(before?.restsOn ?? []), ...(entry.restsOn ?? [])])];
    const { sentence, evidence } = before ?? entry;
    found.set(name, { name, sentence, evidence, kernels, restsOn });
  }
  return [...found.values()];
}
