import { behaviourNames, olderValues } from '../../model/core/override.ts';
import { entry, item } from '../../model/core/present.ts';
import type { Profile, RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS, RECORDED_PROFILES } from '../../model/core/profile.ts';
import { BEHAVIOUR_WORDS } from './behaviour-words.ts';

/** A behaviour that can be overridden. */
export interface KernelBehaviour {
  readonly name: string;
  /** Its meaning. */
  readonly sentence: string;
  /** The value that each kernel has. */
  readonly values: Readonly<Record<RecordedVersion, string>>;
  /** The values that it may have, those of no kernel first, each with its meaning; `null`: the sentence says it. */
  readonly meanings: readonly { readonly value: string; readonly sentence: string | null }[];
}

/** All behaviours that `--kernel '6.12, NAME = VALUE'` overrides, in the order of a profile. */
export function behaviours(): KernelBehaviour[] {
  return behaviourNames(RECORDED_PROFILES[item(RECORDED_KERNELS, 0)]).map((name) => {
    const { about, values: sentences = {} } = entry(BEHAVIOUR_WORDS, name);
    const own = RECORDED_KERNELS.map((kernel) => String(RECORDED_PROFILES[kernel][name as keyof Profile]));
    const values = Object.fromEntries(RECORDED_KERNELS.map((kernel, i) => [kernel, item(own, i)]));
    return {
      name,
      sentence: about,
      values: values as Record<RecordedVersion, string>,
      meanings: [...new Set([...olderValues(name), ...own])].map((value) => ({
        value,
        sentence: sentences[value] ?? null,
      })),
    };
  });
}
