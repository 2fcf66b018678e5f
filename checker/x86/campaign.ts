import fc from 'fast-check';
import { memories, sequences } from './arbitrary.ts';
import type { InstructionSequence } from './sequence.ts';

/** Sequences that start from the same memory, and that the CPU runs in one go. */
export interface CampaignBatch {
  /** Number of the first sequence. */
  readonly first: number;
  readonly memory: Uint8Array;
  readonly sequences: readonly InstructionSequence[];
}

/** Sequences of a full batch. */
export const BATCH = 2000;
/** Seeds of neighbouring batches are far apart. */
const SEED_STEP = 0x9e3779b1;

/** The batch that begins at sequence `first`, a multiple of BATCH; the same for the same seed, whatever `count`. */
export function drawBatch(seed: number, first: number, count: number): CampaignBatch {
  const own = (seed + (first / BATCH) * SEED_STEP) | 0;
  const [memory] = fc.sample(memories, { seed: own, numRuns: 1 });
  return { first, memory: memory!, sequences: fc.sample(sequences, { seed: own, numRuns: count }) };
}

/** Sequences that are simpler than one by a single cut, the simplest first. */
export function simplerThan(sequence: InstructionSequence): InstructionSequence[] {
  return [...sequences.shrink(sequence, undefined)].map(({ value }) => value);
}
