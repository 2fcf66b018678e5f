import type { Offer, Refused } from '../../checker/refinement/bound.ts';
import type { ComparedDesigns } from '../../checker/refinement/refinement.ts';
import type { History } from '../../checker/refinement/retelling.ts';
import { item } from '../../model/core/present.ts';
import { count, counted, wrap } from '../text.ts';
import { designName } from './names.ts';

/** The bound of a comparison: its kernels and functions. */
interface Bounded extends Pick<History, 'profiles' | 'functions'> {
  readonly offer: Offer;
  readonly compared: ComparedDesigns;
  /** Operations of a history, at most. */
  readonly length: number;
}

/** The bound of a comparison. */
export function boundLines({ profiles, functions, offer, compared, length: most }: Bounded): string[] {
  const { histories, length, operations: made, pairs } = compared;
  const names = functions.map(({ name }) => name).join(' and ');
  const isAcross = new Set(profiles.map((profile) => profile.split(',')[0])).size > 1;
  const text =
    `${count(histories)} histories of up to ${length} of ${counted(most, 'operation')}, on ${names}, with 3 ` +
    `programs at a time (${offer.alphabet.kinds.join(', ')}), compared in ${counted(made, 'operation')} from ` +
    `${counted(pairs, 'pair')} of states; calls of both functions after each, and at every step of it` +
    (isAcross ? '; across kernels, which may differ by themselves' : '');
  return indented(text);
}

/** Operations that one of the two refuses when nothing else is attached: they were not compared. */
export function refusedLines({ profiles, offer }: Bounded): string[] {
  return profiles.flatMap((profile, i) => {
    const refused: Refused = item(offer.refused, i);
    if (refused.size === 0) return [];
    const all = refusedForms(refused).join('; ');
    return indented(`skipped: ${designName(profile)} refuses it even by itself: ${all}`);
  });
}

/** Symbols that are refused; of one form for all targets only the form. */
function refusedForms(refused: Refused): string[] {
  const forms = new Map<string, string[]>();
  for (const [letter, errno] of refused) {
    const [form = '', targets = ''] = letter.split(' to ');
    const key = `${form} (${errno})`;
    forms.set(key, [...(forms.get(key) ?? []), targets]);
  }
  return [...forms].map(([form, targets]) =>
    targets.length < ALL_TARGETS ? form.replace(' (', ` to ${targets.join(', ')} (`) : form,
  );
}

/** Either function, and both. */
const ALL_TARGETS = 3;

function indented(text: string): string[] {
  return wrap(text, 76).map((line, i) => `${i === 0 ? '  ' : '    '}${line}`);
}
