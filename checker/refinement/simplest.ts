import { item } from '../../model/core/present.ts';
import type { Letter } from './letter.ts';
import type { Distinguishing } from './refinement.ts';

/**
 * The simplest of several histories of one length: with the fewest targets, then with the fewest programs, then with the
 * simplest ones. Of equals it is the first.
 */
export function simplest(found: readonly Distinguishing[]): Distinguishing | undefined {
  let best: Distinguishing | undefined;
  for (const distinguishing of found)
    if (best === undefined || isLess(weightOf(distinguishing.letters), weightOf(best.letters)))
      best = distinguishing;
  return best;
}

/** Earlier criteria come first. */
function weightOf(letters: readonly Letter[]): number[] {
  const sum = (weigh: (letter: Letter) => number) => letters.reduce((all, letter) => all + weigh(letter), 0);
  return [
    sum((letter) => ('targets' in letter ? letter.targets.length : 0)),
    sum((letter) => Number(letter.do === 'attach')),
    sum((letter) => (letter.do === 'attach' ? plainness(letter) : 0)),
  ];
}

const KINDS = ['fentry', 'fexit', 'fmod_ret'];

function plainness({ form, multi }: Extract<Letter, { do: 'attach' }>): number {
  return (
    8 * KINDS.indexOf(form.kind) +
    4 * Number(form.asks) +
    2 * Number(form.reads === 'direct') +
    Number(!multi)
  );
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((value, i) => value !== b[i]);
  return index >= 0 && item(a, index) < item(b, index);
}
