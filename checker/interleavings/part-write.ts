import type { Aspects } from './aspects.ts';
import type { Entries } from './part-draft.ts';
import { copyOf } from './part-draft.ts';
import type { WorldParts } from './world-parts.ts';
import type { Worlds } from './worlds.ts';

/** What an effect does to one part, whatever else is in it. */
export interface PartWrite {
  readonly place: number;
  /** The number of the part after it. */
  readonly after: (part: number) => number;
}

/** Whether all writes are to some parts. */
export function changesOnly(parts: ReadonlySet<number>, writes: readonly PartWrite[]): boolean {
  return writes.every(({ place }) => parts.has(place));
}

/** A part is put there. */
export function wholeWrite(place: number, number: number): PartWrite {
  return { place, after: () => number };
}

/** The entries of a table that are gone, and those that have another value or are new. */
export interface TableChange {
  readonly gone: readonly string[];
  readonly put: readonly (readonly [string, unknown])[];
}

/** The change from one table to another. */
export function changeOf(aspects: Aspects, before: Entries, after: Entries): TableChange {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const put = Object.entries(after).filter(
    ([key, value]) => !Object.hasOwn(before, key) || !aspects.areEqual(before[key], value),
  );
  return { gone, put };
}

/**
 * Entries of a table are changed. Where their order says something, a new one comes after the others, as in a step's own
 * copy; a step that takes an entry away and puts it there again has read the whole table.
 */
export function tableWrite(
  { worlds, parts }: { readonly worlds: Worlds; readonly parts: WorldParts },
  place: number,
  { gone, put }: TableChange,
): PartWrite {
  const known = new Map<number, number>();
  const after = (part: number) => {
    let number = known.get(part);
    if (number === undefined) {
      const table = copyOf(worlds.part(part) as Entries);
      for (const key of gone) delete table[key];
      for (const [key, value] of put) table[key] = value;
      number = worlds.partNumber(parts.inOrder(place, Object.freeze(table)));
      known.set(part, number);
    }
    return number;
  };
  return { place, after };
}
