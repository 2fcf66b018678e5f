import type { Figure } from './row.ts';

/** Executions of images: beside Unicorn with CODE and MEM hooks. */
export const IMAGES = {
  same: ratio('checked executions of one image', 6, 14),
  fresh: ratio('a fresh image for every execution', 20, 60),
  drawn: ratio('the same driven by fast-check', 10, 30),
  image: ratio('a fresh image among known stubs', 10, 24),
} as const;

/** Steps of the full model, beside Quint's TypeScript simulator on a small one that has no law. */
export const WALKS = {
  model: ratio('steps of a random walk', 5, 10),
  laws: ratio('the same, all laws asked', 2.5, 5),
} as const;

/** States of the small model, beside Spin and TLC on the same. */
export const SMALL = {
  rate: ratio('states, small model', 1, 3),
  bytes: own('bytes a state, small model', 'bytes', 30, 12),
  tlc: { name: 'states, small model, beside TLC', unit: 'per second', judged: 'ratio' },
} as const satisfies Record<string, Figure>;

/** States of the full model. */
export const FULL = {
  laws: own('states, full model, all laws', 'per second', 80_000, 150_000),
  bytes: own('bytes a state, full model', 'bytes', 30, 12),
  cores: ratio('one scenario, two cores to one', 1.5, 1.8),
  apart: { name: 'two that share nothing, to one', unit: 'per second', judged: 'ratio' },
} as const satisfies Record<string, Figure>;

/** Whole commands of the compiled form. */
export const COMMANDS = {
  check: own('npm run check', 'seconds', 45, 25),
  kernels: { name: 'explore, three kernels, one CPU', unit: 'seconds', judged: 'ours', aim: 90 },
  compare: own('compare --n 50000', 'seconds', 30, 10),
  cost: { name: 'cost of 60,000 functions', unit: 'seconds', judged: 'ours', aim: 10 },
  start: { name: 'start, to that of node -e 0', unit: 'seconds', judged: 'ratio' },
} as const satisfies Record<string, Figure>;

/** A rate, by its ratio to that of a peer in the same run. */
function ratio(name: string, floor: number, aim: number): Figure {
  return { name, unit: 'per second', judged: 'ratio', floor, aim };
}

/** A figure that has no peer. */
function own(name: string, unit: Figure['unit'], floor: number, aim: number): Figure {
  return { name, unit, judged: 'ours', floor, aim };
}
