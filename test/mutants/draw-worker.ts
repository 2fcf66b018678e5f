import { parentPort } from 'node:worker_threads';
import { drawCorpus } from './corpus.ts';
import type { InputBound } from './draw-inputs.ts';
import { MARKS } from './switched.ts';

/*
 * Draws the inputs, in a thread of its own, in a bundle in which every expression with a mutant leaves a mark.
 */

const marks = (globalThis as { [MARKS]?: Uint8Array })[MARKS];

function* marked(): Generator<number> {
  for (const [number, isReached] of marks?.entries() ?? []) if (isReached === 1) yield number;
  marks?.fill(0);
}

parentPort?.on('message', (bound: InputBound) => parentPort?.postMessage(drawCorpus(bound, marked)));
