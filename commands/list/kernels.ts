import { behaviourNames } from '../../model/core/override.ts';
import { item } from '../../model/core/present.ts';
import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';

/** A behaviour that can be overridden, with the value that each kernel has. */
export interface KernelBehaviour {
  readonly name: string;
  readonly values: Readonly<Record<KernelVersion, string>>;
}

/** All behaviours that `--kernel '6.12, NAME = VALUE'` overrides, in the order of a profile. */
export function behaviours(): KernelBehaviour[] {
  return behaviourNames(PROFILES[item(KERNELS, 0)]).map((name) => ({
    name,
    values: Object.fromEntries(
      KERNELS.map((kernel) => [kernel, String(PROFILES[kernel][name as keyof Profile])]),
    ) as Record<KernelVersion, string>,
  }));
}
