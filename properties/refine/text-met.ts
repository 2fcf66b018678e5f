import type { Kernel } from '../../model/kernel.ts';
import { int3Handler } from '../../model/text/int3.ts';
import type { Text } from '../../model/text/text.ts';
import { readText, writeText } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
import { copyPart } from '../attach/copy-kernel.ts';

/** What may change of text while calls execute it. */
export type TextMet = Pick<Text, 'inner' | 'pages' | 'sites' | 'poke'>;

/**
 * Text as a call meets it that begins and ends before text changes any more: where it is being changed the call comes
 * to a breakpoint, and goes on as its handler says; one that nobody knows stays.
 */
export function textMet(k: Kernel): TextMet {
  const { inner, pages, sites, poke } = k.text;
  if (poke === null) return { inner, pages, sites, poke };
  const changed = copyPart({ inner, pages, sites }) as Omit<TextMet, 'poke'>;
  const after = { ...k, text: { ...k.text, ...changed } };
  for (const { place } of poke.vec) {
    if (readText(after, place, 1) !== INT3) continue;
    const trap = int3Handler(after, place);
    if (typeof trap === 'object') writeText(after, place, 0, trap.emulates);
  }
  return { ...changed, poke: null };
}
