import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { canStandOn, exampleOf } from '../../conformance/known/attach-example.ts';
import { recordedVersion } from '../../model/core/profile.ts';

/** The examples of listed bugs of a kernel; of a design, its own, and those of its kernel beside links of that design. */
export function listedExamples(profile: string): readonly AttachCase[] {
  const version = recordedVersion(profile);
  return KNOWN_ATTACH.flatMap((entry) => {
    if (!recordedKernelsOf([entry]).includes(version) || !canStandOn(entry, version)) return [];
    const example = exampleOf(entry, version);
    if (example.profile === profile) return [example];
    return entry.multiLinks === undefined ? [{ ...example, profile }] : [];
  });
}
