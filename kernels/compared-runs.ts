import type { ComparedRun } from './compared.ts';

/** Runs of histories on real kernels, long on purpose: a table, which `npm run compared` writes. */
export const COMPARED_RUNS: readonly ComparedRun[] = [];
