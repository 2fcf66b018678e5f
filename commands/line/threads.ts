import { availableParallelism } from 'node:os';
import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';

/** Eight take a gigabyte for the default run; with more, the sections that are left to the main thread take longest. */
const MOST = 8;

/** The number of threads for a run beside its main one: one for each other core, and one where there is no other. */
export function threadsBeside(cores: number = availableParallelism()): number {
  return Math.min(MOST, Math.max(1, cores - 1));
}

/** The same for a share of a run: one thread, for the others may run on this machine as well. */
export function threadsFor(share: Share): number {
  return share === WHOLE ? threadsBeside() : 1;
}
