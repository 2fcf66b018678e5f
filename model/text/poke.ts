import { routine } from '../core/routine.ts';
import type { TextPlace, TextView, TextWorld } from './text.ts';
import { readText, writeText } from './text.ts';
import { INT3, keepOlder, syncCores } from './view.ts';

/** One change of a batch: an instruction of up to five bytes. */
export interface Poke {
  readonly place: TextPlace;
  readonly to: string;
}

interface Args {
  pokes: readonly Poke[];
}

/**
 * text_poke_bp_batch(), arch/x86/kernel/alternative.c; smp_text_poke_batch_finish() since 6.16. Each instruction of
 * the batch becomes a breakpoint, then gets its tail, then its first byte, and after each round every CPU
 * serialises itself, so that none executes a mixture. Who comes to a breakpoint in between does what the new
 * instruction will do (`int3.ts`), as long as the batch can be found.
 */
export const textPokeBpBatch = routine<TextWorld, Args>('text_poke_bp_batch', ({ step }) => [
  step('publish the batch', (k, { pokes }) => {
    const vec = pokes.map(({ place, to }) => ({ place, from: readText(k, place, to.length / 2), to }));
    k.text.poke = { refs: 1, vec };
  }),
  step('write int3', (k, { pokes }) => {
    for (const { place } of pokes) write(k, place, 'heads', INT3);
  }),
  step('sync after int3', syncCores),
  step('write tails', (k, { pokes }) => {
    for (const { place, to } of pokes) write(k, place, 'tails', to.slice(2));
  }),
  step('sync after tails', syncCores),
  step('write heads', (k, { pokes }) => {
    for (const { place, to } of pokes) write(k, place, 'heads', to.slice(0, 2));
    for (const { place } of pokes) k.text.pokes[place.name] = (k.text.pokes[place.name] ?? 0) + 1;
  }),
  step('sync after heads', syncCores),
  step('retire the batch', (k) => {
    k.text.poke = null;
  }),
]);

function write(k: TextWorld, place: TextPlace, part: 'heads' | 'tails', bytes: string): void {
  keepOlder(k, place, part);
  writeText(k, place, part === 'heads' ? 0 : 1, bytes);
}

/** Whether a place holds the expected bytes. */
export function holds(k: TextView, place: TextPlace, expected: string): boolean {
  return readText(k, place, expected.length / 2) === expected;
}
