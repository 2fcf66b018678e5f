import fc from 'fast-check';

/*
 * Where in a function a kprobe is drawn.
 */

/** An instruction begins there with `endbr64` and without. */
const IN_EVERY_KERNEL = 10;

export function isElsewhere(offset: number | undefined): boolean {
  return offset !== undefined && offset !== IN_EVERY_KERNEL;
}

/** Within the call site, or within an instruction after it, with or without `endbr64`: most of them begin one. */
const OFFSETS = [1, 5, 6, 9, IN_EVERY_KERNEL];

/** One kprobe in four is in a body; 0: at the entry. */
export const OFFSET: fc.Arbitrary<number> = fc
  .integer({ min: 0, max: 4 * OFFSETS.length - 1 })
  .map((n) => OFFSETS[4 * OFFSETS.length - 1 - n] ?? 0);

/** The same kprobe at a plainer place. */
export function placesOf<A extends { readonly offset?: number }>(action: A): A[] {
  const { offset, ...plain } = action;
  if (offset === undefined) return [];
  const atEntry = plain as A;
  return isElsewhere(offset) ? [atEntry, { ...action, offset: IN_EVERY_KERNEL }] : [atEntry];
}
