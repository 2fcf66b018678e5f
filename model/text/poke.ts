import { routine } from '../core/routine.ts';
import type { Place, TextWorld } from './text.ts';
import { readText, writeText } from './text.ts';

/** One change of a batch: an instruction of up to five bytes. */
export interface Poke {
  readonly place: Place;
  readonly to: string;
}

const INT3 = 'cc';

interface Args {
  pokes: readonly Poke[];
}

/**
 * text_poke_bp_batch(), arch/x86/kernel/alternative.c; smp_text_poke_batch_finish() since 6.16. Each instruction of
 * the batch becomes a breakpoint, then gets its tail, then its first byte, and after each round every processor
 * serialises itself, so that none executes a mixture.
 */
export const textPokeBpBatch = routine<TextWorld, Args>('text_poke_bp_batch', ({ step }) => [
  step('write int3', (k, at) => {
    for (const { place } of at.pokes) writeText(k, place, 0, INT3);
  }),
  step('sync after int3', () => {}),
  step('write tails', (k, at) => {
    for (const { place, to } of at.pokes) writeText(k, place, 1, to.slice(2));
  }),
  step('sync after tails', () => {}),
  step('write heads', (k, at) => {
    for (const { place, to } of at.pokes) writeText(k, place, 0, to.slice(0, 2));
    for (const { place } of at.pokes) k.text.pokes[place.name] = (k.text.pokes[place.name] ?? 0) + 1;
  }),
  step('sync after heads', () => {}),
]);

/** Whether a place holds the expected bytes. */
export function holds(k: TextWorld, place: Place, expected: string): boolean {
  return readText(k, place, expected.length / 2) === expected;
}
