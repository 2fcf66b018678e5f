import type { InputBound } from './draw-inputs.ts';
import type { Input } from './input.ts';

/** The inputs that are drawn. */
export const BOUND: Omit<InputBound, 'seed'> = {
  sequences: 300,
  hits: 30,
  ofDesigns: 50,
  rareOf: 400,
  rareOfDesigns: 40,
  rareOfOverrides: 20,
  faults: 3,
  images: 1500,
  everyScenario: 4,
  freeing: true,
  programs: 3000,
  everyTrace: 1,
  stubs: 400,
  exhaustive: true,
};

/** Inputs of each kind, at most. */
export type Tries = Readonly<Record<Input['is'], number>>;

/** Those that a mutant is judged on. */
export const TRIES: Tries = {
  program: 250,
  exhaustive: 60,
  opcode: 60,
  stub: 100,
  image: 150,
  sequence: 80,
  scenario: 12,
};

/** Those that it is judged on again if it survives these. */
export const MORE: Tries = { ...TRIES, image: 600, sequence: 500, scenario: 30 };

/** What one of each kind takes, in milliseconds or so. */
export const COSTS: Readonly<Record<Input['is'], number>> = {
  program: 1,
  stub: 1,
  image: 3,
  exhaustive: 20,
  opcode: 15,
  sequence: 20,
  scenario: 300,
};
