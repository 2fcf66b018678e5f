import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { recordedKernelsOf } from './attach.ts';
import { KNOWN_TASK } from './task-breaches.ts';
import type { KnownTask } from './task-known.ts';

/** An interleaved breach that a recorded kernel has, without a design of multi links. */
export interface OwnInterleaving {
  readonly entry: KnownTask;
  readonly kernels: readonly RecordedVersion[];
}

/** Those of real kernels; a kernel near another has those of that one that do not rest on where they differ. */
export function ownInterleavings(): OwnInterleaving[] {
  return KNOWN_TASK.filter(({ multiLinks }) => multiLinks === undefined).map((entry) => {
    const kernels = entry.kernels.map((profile) => profileNamed(profile).kernel);
    return { entry, kernels: recordedKernelsOf([{ restsOn: entry.restsOn, kernels }]) };
  });
}
