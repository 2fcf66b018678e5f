import type { CorpusBound } from './corpus.ts';
import type { Input } from './input.ts';

/** The inputs that are drawn. */
export const BOUND: Omit<CorpusBound, 'seed'> = {
  sequences: 150,
  hits: 30,
  ofDesigns: 6,
  images: 1000,
  everyScenario: 5,
};

/** Inputs of each kind that a mutant is judged on, at most. */
export const TRIES: Readonly<Record<Input['is'], number>> = { image: 100, sequence: 40, scenario: 6 };
