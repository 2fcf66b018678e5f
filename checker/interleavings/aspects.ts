import type { PartQuery } from '../../model/core/query.ts';
import { Table } from './table.ts';
import type { SearchedWorld, Worlds } from './worlds.ts';

/** The number of something that an effect may depend on: a whole part, one of its entries, an answer about it. */
export type AspectId = number;

type Entries = Readonly<Record<string, unknown>>;

/** The value of an entry that is not there. */
const ABSENT = -1;
const UNKNOWN = -2;

/** A part of a kernel, and what of it is an aspect. */
interface Watching {
  readonly place: number;
  readonly numberIn: (part: Entries) => number;
  /** By the number of the part. */
  readonly known: number[];
}

/** The aspects of one part that have come up. */
interface OfPart {
  readonly entries: Map<string, AspectId>;
  readonly answers: Map<PartQuery<never>, Map<string, AspectId>>;
}

/**
 * What steps read of a world, by number, and the values of these in each world, by number too. The aspect with the number
 * of a place is the whole part there.
 */
export class Aspects {
  private readonly values = new Table<unknown>();
  private readonly watching: (Watching | undefined)[];
  private readonly parts: readonly OfPart[];

  constructor(
    private readonly worlds: Worlds,
    places: number,
  ) {
    this.watching = Array.from({ length: places }, () => undefined);
    this.parts = this.watching.map(() => ({ entries: new Map(), answers: new Map() }));
  }

  /** One entry of a part. */
  entry(place: number, key: string): AspectId {
    const { entries } = this.parts[place]!;
    let aspect = entries.get(key);
    if (aspect === undefined) {
      aspect = this.add(place, (part) =>
        Object.hasOwn(part, key) ? this.values.numberOf(part[key]) : ABSENT,
      );
      entries.set(key, aspect);
    }
    return aspect;
  }

  /** Which entries a part has, in their order. */
  keys(place: number): AspectId {
    return this.answer(place, Object.keys, '');
  }

  /** The answer to a query about a part. */
  answer(place: number, query: PartQuery<never>, about: string): AspectId {
    const { answers } = this.parts[place]!;
    let known = answers.get(query);
    if (known === undefined) answers.set(query, (known = new Map()));
    let aspect = known.get(about);
    if (aspect === undefined) {
      aspect = this.add(place, (part) => this.values.numberOf(query(part as never, about)));
      known.set(about, aspect);
    }
    return aspect;
  }

  private add(place: number, numberIn: Watching['numberIn']): AspectId {
    return this.watching.push({ place, numberIn, known: [] }) - 1;
  }

  /** The number of an aspect's value in a world. */
  valueIn(aspect: AspectId, world: SearchedWorld): number {
    const watching = this.watching[aspect];
    if (watching === undefined) return world[aspect]!;
    const { place, numberIn, known } = watching;
    const part = world[place]!;
    while (known.length <= part) known.push(UNKNOWN);
    if (known[part] === UNKNOWN) known[part] = numberIn(this.worlds.part(part) as Entries);
    return known[part]!;
  }

  /** Whether two entries are equal. */
  areEqual(a: unknown, b: unknown): boolean {
    return a === b || this.values.numberOf(a) === this.values.numberOf(b);
  }
}
