import type { KernelVersion, Profile } from '../model/core/profile.ts';
import { PROFILES } from '../model/core/profile.ts';

/** The kernels that a breach is listed for, and the behaviours without which it is not there. */
export interface ListedFor {
  readonly kernels: readonly KernelVersion[];
  readonly restsOn?: readonly (keyof Profile)[];
}

/** Whether a profile is made from a kernel that a breach is listed for, and has what it rests on. */
export function isForProfile({ kernels, restsOn = [] }: ListedFor, profile: Profile): boolean {
  const own = PROFILES[profile.kernel];
  return (
    kernels.includes(profile.kernel) && restsOn.every((behaviour) => profile[behaviour] === own[behaviour])
  );
}
