import { expect, test } from 'vitest';
import type { ComparedRun } from './compared.ts';
import { comparedText, lastCompared } from './compared.ts';
import { COMPARED_RUNS } from './compared-runs.ts';
import { releaseOf } from './releases.ts';

const RUN: ComparedRun = {
  kernel: '6.12',
  release: '6.12.117+deb12-amd64',
  date: '2026-11-26',
  seed: 1,
  from: 0,
  next: 100,
  histories: 100,
  comparisons: 9000,
  differences: 0,
};

test('the runs of the last day count together, whatever their order', () => {
  const later = { ...RUN, date: '2026-11-27', histories: 1, comparisons: 80 };
  const runs = [later, RUN, { ...later, seed: 2, differences: 1 }];
  expect(lastCompared('6.12', runs)).toEqual({
    kernel: '6.12',
    release: RUN.release,
    date: '2026-11-27',
    histories: 2,
    comparisons: 160,
    differences: 1,
  });
  expect(comparedText(lastCompared('6.12', runs)!)).toBe(
    '6.12.117+deb12-amd64, 2026-11-27: 2 histories, 1 difference',
  );
  expect(comparedText(lastCompared('6.12', [RUN])!)).toContain('100 histories agree');
});

test('a kernel that was never asked has nothing to say', () => {
  expect(lastCompared('6.1', [RUN])).toBeUndefined();
});

test('the runs that are kept are of the kernels that can be set up', () => {
  for (const { kernel, release } of COMPARED_RUNS) expect(release).toBe(releaseOf(kernel).release);
});
