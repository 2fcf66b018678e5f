import type { AnswerPart, JobProgress } from '../../counterexamples/answer.ts';
import type { TracedScope } from '../../kernels/boot/new-guests.ts';
import type { Sayable } from '../../kernels/history/cast-history.ts';
import { sayable } from '../../kernels/history/cast-history.ts';
import type { Purpose } from '../../kernels/history/drawn.ts';
import { KernelHistories } from '../../kernels/history/drawn.ts';
import type { RunShard } from '../shard/run-shard.ts';

/** The histories of a seed, as far as they are of this shard. */
export interface DrawnRun {
  /** The profile that they are drawn for. */
  readonly profile: string;
  readonly seed: number;
  /** The number of the last, and of the first, which is not 0 when a run is resumed. */
  readonly runs: number;
  readonly from: number;
  readonly shard: RunShard;
  readonly scope: TracedScope;
}

/** Where a run ended: the history to resume with, and what it was looking for. */
export interface DrawnEnd<T> {
  readonly next: number;
  readonly found?: T;
}

/** Runs histories one after the other, up to the first in which something is found, or until the caller stops. */
export function* drawnHistories<T>(
  { profile, seed, runs, from, shard }: DrawnRun,
  purpose: Purpose,
  part: string,
  find: (n: number, said: Sayable, calls: number) => T | undefined,
): Generator<JobProgress | AnswerPart, DrawnEnd<T>, boolean> {
  const histories = new KernelHistories(profile, seed, purpose);
  for (let n = from; n < runs; n++) {
    if (n % shard.of !== shard.number - 1) continue;
    const drawn = histories.at(n);
    const found = find(n, sayable(drawn), drawn.actions.length);
    if (found !== undefined) return { next: n + 1, found };
    if (yield { part, done: n + 1 - from, of: runs - from, unit: 'history' }) return { next: n + 1 };
  }
  return { next: Math.max(from, runs) };
}
