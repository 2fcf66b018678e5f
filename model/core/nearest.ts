import { closest, distance } from 'fastest-levenshtein';

/** The word that was meant, if one of them is near what was written; undefined: none is. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const near = closest(written, words);
  // One typing error in three characters, at least one: beyond that a suggestion misleads.
  return distance(written, near) <= Math.max(1, Math.floor(written.length / 3)) ? near : undefined;
}

/** The end of a refusal: the word that was meant, or else what there is. */
export function meantOr(
  written: string,
  words: readonly string[],
  otherwise = `there are ${words.join(', ')}`,
): string {
  const meant = nearest(written, words);
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}
