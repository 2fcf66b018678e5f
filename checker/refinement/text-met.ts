import type { Kernel } from '../../model/kernel.ts';
import { int3Handler } from '../../model/text/int3.ts';
import type { Text } from '../../model/text/text.ts';
import { readText, writeText } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
import { copyPart } from '../../properties/observed/copy-kernel.ts';

/**
 * The kernel for a call that begins and ends before its text changes again: where a poke is in progress the call hits
 * a breakpoint, and continues as its handler says; an unhandled one stays.
 */
export function textMet(k: Kernel): Kernel {
  const { inner, pages, sites, poke } = k.text;
  if (poke === null) return k;
  const changed = copyPart({ inner, pages, sites }) as Pick<Text, 'inner' | 'pages' | 'sites'>;
  const after = { ...k, text: { ...k.text, ...changed } };
  for (const { place } of poke.vec) {
    if (readText(after, place, 1) !== INT3) continue;
    const trap = int3Handler(after, place);
    if (typeof trap === 'object') writeText(after, place, 0, trap.emulates);
  }
  return { ...after, text: { ...after.text, poke: null } };
}
