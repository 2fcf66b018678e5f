import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { costInWorkers, costJob } from '../cost/cost-answer.ts';
import { listFor } from '../cost/cost-options.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { compareInWorkers, compareJob } from './compare-job.ts';
import { comparisonFor } from './compare-options.ts';
import { costsInWorkers, designWorkers } from './design-pool.ts';

const RECORDINGS = join(import.meta.dirname, '../../conformance/recordings');
const HITS = {
  hits: join(RECORDINGS, 'hits.jsonl'),
  benchmarkHits: join(RECORDINGS, 'benchmark-hits.jsonl'),
};
const EXAMPLE = join(import.meta.dirname, '../cost/example.json');

/** A design on its own kernel, and two whose quadratic counts show with a few functions. */
const designs = 'tracing multi, one by one, multi ids';
const few = 'one by one, multi ids';

async function endOf(job: Job | WaitingJob): Promise<Answer> {
  for (;;) {
    const step = await job.next(false);
    if (step.done === true) return step.value;
  }
}

describe('designs in workers', () => {
  test('a comparison is the same in one, in two and in none', async () => {
    const comparison = comparisonFor({ n: '2,20', kernel: '6.12', designs: few }, HITS);
    const none = toEnd(compareJob(comparison));
    for (const workers of [1, 2]) expect(await endOf(compareInWorkers(comparison, workers))).toEqual(none);
  });

  test('so is the cost for a list', async () => {
    const list = listFor(EXAMPLE, { designs });
    const none = toEnd(costJob(list));
    for (const workers of [1, 2]) expect(await endOf(costInWorkers(list, workers))).toEqual(none);
  });

  test('a kernel that is named is that of the workers', async () => {
    const list = listFor(EXAMPLE, { kernel: '7.2', designs: 'fprobe, one by one' });
    expect(await endOf(costInWorkers(list, 2))).toEqual(toEnd(costJob(list)));
  });

  test('after a stop the answers before the first missing one count', async () => {
    const client = { name: 'fprobe', profile: '6.12' };
    const question = { of: 'numbers', client, numbers: [8] } as const;
    const costs = costsInWorkers([question, question], 1);
    expect(await costs.next(false)).toMatchObject({ value: { part: 'fprobe', unit: 'function' } });
    expect(await costs.next(true)).toEqual({ done: true, value: [] });
  });

  test('what a worker fails with ends the job', async () => {
    const client = { name: 'fprobe', profile: '6.1' };
    const costs = costsInWorkers([{ of: 'numbers', client, numbers: [8] }], 1);
    await costs.next(false);
    await expect(costs.next(false)).rejects.toThrow('there is no client fprobe on 6.1');
  });

  test('few functions, and one design, are not worth a worker', () => {
    expect(designWorkers(16, 1000)).toBe(0);
    expect(designWorkers(1, 50_000)).toBe(0);
    expect([1, 2, 8].map((cores) => designWorkers(16, 50_000, cores))).toEqual([0, 2, 4]);
  });
});
