import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';

/** The modelled kernels by the last release that each is nearest to. */
const NEAREST: readonly (readonly [last: readonly [number, number], profile: RecordedVersion])[] = [
  [[6, 3], '6.1'],
  [[6, 13], '6.12'],
  [[7, 2], '7.2'],
];
const NEWEST: RecordedVersion = '7.3';

/**
 * The profile of a release: the direct calls of 6.1 changed in 6.4, the fprobes and function graph of 6.12 in 6.14,
 * the switch of ftrace in 7.3. Throws an
 * InputError for what is no release.
 */
export function nearestProfile(release: string): RecordedVersion {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(release) ?? [];
  if (major === undefined || minor === undefined)
    throw new InputError(`${release} is no release of Linux: name a profile with --profile`);
  const own = [Number(major), Number(minor)] as const;
  const found = NEAREST.find(([last]) => own[0] < last[0] || (own[0] === last[0] && own[1] <= last[1]));
  return found?.[1] ?? NEWEST;
}
