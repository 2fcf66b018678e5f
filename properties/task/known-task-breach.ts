import { profileNamed } from '../../model/core/profile.ts';
import type { TaskBreach } from '../explore/judge.ts';
import type { TaskLaw } from './task-law.ts';

/** A breach of a law of interleavings that real kernels show: of which law, in which kernels, what it looks like. */
export interface KnownTaskBreach {
  readonly name: string;
  readonly law: TaskLaw;
  /** Profiles that show it: what is overridden there is of no account. */
  readonly kernels: readonly string[];
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
  const isIn = (profiles: readonly string[]) => profiles.some((one) => profileNamed(one).kernel === kernel);
  return list.find((one) => one.law === law && isIn(one.kernels) && one.shows.test(said));
}
