import { spellLetter } from '../../checker/refinement/letter.ts';
import type { ComparedDesigns, Distinguishing } from '../../checker/refinement/refinement.ts';
import { simplest } from '../../checker/refinement/simplest.ts';
import { reasonOf } from './reason.ts';

/** A way in which one kernel does not behave as another, with the simplest history that shows it. */
export interface HistoryWay {
  readonly reason: string;
  readonly example: Distinguishing;
}

/** The ways in which the shortest histories distinguish two kernels, the simplest first. */
export function waysOf({ compared: { found } }: { readonly compared: ComparedDesigns }): HistoryWay[] {
  const groups = new Map<string, Distinguishing[]>();
  for (const distinguishing of found) {
    const reason = reasonOf(distinguishing.difference);
    groups.set(reason, [...(groups.get(reason) ?? []), distinguishing]);
  }
  const ways = [...groups].map(([reason, all]) => ({ reason, example: simplest(all)! }));
  const first = simplest(ways.map(({ example }) => example));
  return ways.sort((a, b) => Number(b.example === first) - Number(a.example === first));
}

/** `multi fentry to f2; detach link#1`. */
export function spellHistory({ letters }: Distinguishing): string {
  return letters.map(spellLetter).join('; ');
}
