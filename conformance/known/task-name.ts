import { knownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import type { Occurrence } from '../../checker/interleavings/occurrence.ts';
import { knownOneByOne } from '../../checker/interleavings/one-by-one.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { KNOWN_TASK } from './task-breaches.ts';

/**
 * The listed name of a breach of a scenario: as one of interleavings, or, if it needs no overlap, as one of
 * sequences. Undefined: it is new.
 */
export function knownTaskName(occurrence: Occurrence): string | undefined {
  return (knownTaskBreach(KNOWN_TASK, occurrence) ?? knownOneByOne(KNOWN_ATTACH, occurrence))?.name;
}
