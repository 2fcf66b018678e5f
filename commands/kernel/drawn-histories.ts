import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { AnswerPart, JobProgress } from '../../counterexamples/answer.ts';
import type { TracedScope } from '../../kernels/boot/new-guests.ts';
import type { Purpose } from '../../kernels/history/drawn.ts';
import { KernelHistories } from '../../kernels/history/drawn.ts';
import { NearHistories } from '../../kernels/history/near.ts';
import { listedExamples } from '../near/listed-examples.ts';

/** The histories of a seed. */
export interface DrawnRun {
  /** The profile that they are drawn for. */
  readonly profile: string;
  readonly seed: number;
  /** The number of the last, and of the first, which is not 0 when a run is resumed. */
  readonly runs: number;
  readonly from: number;
  readonly scope: TracedScope;
  /** They are near the examples of listed breaches, in place of drawn ones and meetings. */
  readonly near: boolean;
}

/** Its histories, by their numbers. */
export function historiesOf(
  { profile, seed, near }: Pick<DrawnRun, 'profile' | 'seed' | 'near'>,
  purpose: Purpose,
): { at(n: number): AttachCase } {
  return near
    ? new NearHistories(listedExamples(profile), seed, purpose)
    : new KernelHistories(profile, seed, purpose);
}

/** Where a run ended: the history to resume with, and what it was looking for. */
export interface DrawnEnd<T> {
  readonly next: number;
  readonly found?: T;
}

/** Runs histories one after the other, up to the first in which something is found, or until the caller stops. */
export function* drawnHistories<T>(
  { runs, from }: Pick<DrawnRun, 'runs' | 'from'>,
  part: string,
  find: (n: number) => T | undefined,
): Generator<JobProgress | AnswerPart, DrawnEnd<T>, boolean> {
  for (let n = from; n < runs; n++) {
    const found = find(n);
    if (found !== undefined) return { next: n + 1, found };
    if (yield { part, done: n + 1 - from, of: runs - from, unit: 'history' }) return { next: n + 1 };
  }
  return { next: Math.max(from, runs) };
}
