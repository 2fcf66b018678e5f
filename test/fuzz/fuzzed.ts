import * as fc from 'fast-check';
import { InputError } from '../../model/core/input-error.ts';
import { mutated } from './mutated.ts';
import type { Reader } from './readers.ts';

/** Milliseconds and bytes that one input may take. */
const TIME_MOST = 5000;
const MEMORY_MOST = 500 * 2 ** 20;

/**
 * Reads mutated inputs. Throws with the smallest input at which a reader ends with anything but a result or an
 * InputError, or takes too long or too much memory.
 */
export function fuzz(
  { name, seeds, read }: Reader,
  bound: { readonly seed: number; readonly inputs: number },
): void {
  const property = fc.property(mutated(seeds), (text) => {
    const start = performance.now();
    const { heapUsed } = process.memoryUsage();
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (error.message.includes('\n')) throw new Error(`not one sentence: ${error.message}`);
    }
    const time = performance.now() - start;
    if (time > TIME_MOST) throw new Error(`it takes ${Math.round(time)} ms`);
    const memory = process.memoryUsage().heapUsed - heapUsed;
    if (memory > MEMORY_MOST) throw new Error(`it takes ${memory >> 20} MiB`);
  });
  const result = fc.check(property, { seed: bound.seed, numRuns: bound.inputs });
  if (result.counterexample === null) return;
  const [input] = result.counterexample;
  throw new Error(`${name}: ${JSON.stringify(input)}\n${String((result.errorInstance as Error)?.stack)}`);
}
