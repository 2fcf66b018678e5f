import type { KernelVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { TaskBreach } from '../explore/judge.ts';

/** A breach of a law of interleavings that real kernels show: of which law, in which kernels, what it looks like. */
export interface KnownTaskBreach {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** What the finding says: `expected / observed`. */
  readonly shows: RegExp;
}

/** The first entry of a list that a breach in a kernel is an example of. */
export function knownTaskBreach<T extends KnownTaskBreach>(
  list: readonly T[],
  profile: string,
  { law, finding }: TaskBreach,
): T | undefined {
  const { kernel } = profileNamed(profile);
  const said = `${finding.expected} / ${finding.observed}`;
  return list.find((one) => one.law === law.name && one.kernels.includes(kernel) && one.shows.test(said));
}
