import type { ComparedRun } from './compared.ts';

/** Runs of histories on real kernels, long on purpose: a table, which `npm run compared` writes. */
export const COMPARED_RUNS: readonly ComparedRun[] = [
  {
    kernel: '6.1',
    seed: 2,
    from: 153,
    next: 300,
    histories: 147,
    comparisons: 29375,
    release: '6.1.0-56-amd64',
    date: '2026-11-27',
    differences: 0,
  },
  {
    kernel: '6.12',
    seed: 2,
    from: 9,
    next: 300,
    histories: 291,
    comparisons: 44414,
    release: '6.12.117+deb12-amd64',
    date: '2026-11-27',
    differences: 0,
  },
  {
    kernel: '6.12',
    seed: 11,
    from: 0,
    next: 60,
    histories: 60,
    comparisons: 8622,
    release: '6.12.117+deb12-amd64',
    date: '2026-11-27',
    differences: 0,
  },
  {
    kernel: '7.2',
    seed: 20261127,
    from: 0,
    next: 150,
    histories: 150,
    comparisons: 24955,
    release: '7.2.13+deb14-amd64',
    date: '2026-11-27',
    differences: 0,
  },
];
