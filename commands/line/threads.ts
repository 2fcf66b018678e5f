import { availableParallelism } from 'node:os';

/** Eight take a gigabyte for the default run; with more, the sections that are left to the main thread take longest. */
const MOST = 8;

/** The number of threads for a run beside its main one: one for each other core, and one where there is no other. */
export function threadsBeside(cores: number = availableParallelism()): number {
  return Math.min(MOST, Math.max(1, cores - 1));
}
