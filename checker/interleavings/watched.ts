import type { PartQuery } from '../../model/core/query.ts';
import type { Kernel } from '../../model/kernel.ts';
import { copyPart } from '../../properties/observed/copy-kernel.ts';
import type { AspectId, Aspects } from './aspects.ts';
import type { Effect } from './effects.ts';
import type { Entries, NotesReads } from './part-draft.ts';
import { copyOf, draftOf, watchedTable } from './part-draft.ts';
import type { PartWrite } from './part-write.ts';
import { changeOf, tableWrite, wholeWrite } from './part-write.ts';
import type { PartAccess, WorldParts } from './world-parts.ts';
import type { SearchedWorld, Worlds } from './worlds.ts';

/** The parts of a world, and the other changes of a step. */
export interface WatchedStage<T> {
  readonly parts: readonly unknown[];
  readonly rest: T;
}

/** Where parts and what is read of them have their numbers. */
export interface WatchTables {
  readonly parts: WorldParts;
  readonly worlds: Worlds;
  readonly aspects: Aspects;
}

/** Watches steps in a world: what they read of its parts, and what they write. */
export class Watched {
  /** In the order in which they were read first. */
  private readonly reads = new Set<AspectId>();
  /** The parts that the latest step has read anything of. */
  private latest = new Set<number>();
  /** The parts as they are before the first step. */
  readonly start: readonly unknown[];

  constructor(
    private readonly tables: WatchTables,
    private readonly world: SearchedWorld,
  ) {
    this.start = tables.worlds.partsOf(world);
  }

  /** Runs a step on a kernel and a value, neither of which is changed. */
  run<T extends object>(
    stage: WatchedStage<T>,
    change: (k: Kernel, rest: T, parts: unknown[]) => void,
  ): WatchedStage<T> {
    const parts = stage.parts.slice();
    const rest = copyPart(stage.rest) as T;
    this.latest = new Set();
    change(this.tables.parts.facade(this.draftsOf(parts)), rest, parts);
    for (let part = 0; part < parts.length; part++) parts[part] = settled(stage.parts[part], parts[part]);
    return { parts, rest: frozen(rest) };
  }

  /** Copies of parts, made when they are read: of a table, an entry at a time. */
  private draftsOf(parts: unknown[]): PartAccess {
    const { latest } = this;
    const drafts: unknown[] = [];
    return {
      get: (part) => {
        if (!latest.has(part)) {
          latest.add(part);
          if (this.isTable(part, parts[part])) {
            parts[part] = copyOf(parts[part]);
            drafts[part] = draftOf(parts[part] as Entries, this.notesOf(part));
          } else {
            this.noteRead(part);
            parts[part] = copyPart(parts[part]);
          }
        }
        return drafts[part] ?? parts[part];
      },
      set: (part, value) => {
        // Whether a write changes anything depends on the old value.
        latest.add(part);
        this.noteRead(part);
        drafts[part] = undefined;
        parts[part] = value;
      },
    };
  }

  /** Whether the entries of a part are read one by one. A part that was read as a whole need not be. */
  private isTable(part: number, value: unknown): value is Entries {
    return this.tables.parts.isTable(part) && !this.reads.has(part) && value !== null;
  }

  private notesOf(place: number): NotesReads {
    const { aspects } = this.tables;
    return {
      entry: (key) => this.reads.add(aspects.entry(place, key)),
      keys: () => this.reads.add(aspects.keys(place)),
      answer: (query, about) => this.reads.add(aspects.answer(place, query, about)),
      // One that was taken away before: it is the last one now, whatever others there are.
      added: (key) => {
        if (!this.tables.parts.isUnordered(place) && Object.hasOwn(this.start[place] as Entries, key))
          this.noteRead(place);
      },
    };
  }

  /** The numbers of the parts that the latest step has read. */
  get latestReads(): ReadonlySet<number> {
    return this.latest;
  }

  /** Reads a kernel without changing it; if none is given, as it is before the first step. */
  look<R>(question: (k: Kernel) => R, parts = this.start): R {
    const all = parts.slice();
    const access: PartAccess = {
      get: (part) => {
        const value = parts[part];
        if (this.isTable(part, value)) return watchedTable(value, this.notesOf(part));
        this.noteRead(part);
        return all[part];
      },
      set: (part, value) => {
        this.noteRead(part);
        all[part] = value;
      },
    };
    return question(this.tables.parts.facade(access));
  }

  /** A step depends on a whole part. */
  noteRead(part: number): void {
    this.reads.add(part);
  }

  /** A step depends on the answer to a query about a part. */
  noteAnswer(part: number, query: PartQuery<never>, about: string): void {
    this.reads.add(this.tables.aspects.answer(part, query, about));
  }

  /** The effect of all steps together. */
  effect<R>(after: readonly unknown[], result: R): Effect<R> {
    const writes: PartWrite[] = [];
    after.forEach((value, part) => {
      const write = value === this.start[part] ? undefined : this.writeOf(part, value);
      if (write !== undefined) writes.push(write);
    });
    const reads: number[] = [];
    for (const aspect of this.reads) reads.push(aspect, this.tables.aspects.valueIn(aspect, this.world));
    return { reads, writes, result };
  }

  private writeOf(place: number, value: unknown): PartWrite | undefined {
    const { worlds, aspects, parts } = this.tables;
    const number = worlds.partNumber(parts.inOrder(place, value));
    if (number === this.world[place]) return undefined;
    if (!this.isTable(place, value)) return wholeWrite(place, number);
    const change = changeOf(aspects, this.start[place] as Entries, value);
    // Laws see several changes in the order of the entries.
    if (change.gone.length + change.put.length > 1 && !parts.isUnordered(place))
      this.reads.add(aspects.keys(place));
    return tableWrite(this.tables, place, change);
  }
}

/**
 * A part after a step: what is as it was is the same object as before, what is not is frozen. Parts are small, and a
 * copy of those that a step reads, compared afterwards, costs less than drafts, with which each access costs.
 */
function settled(before: unknown, after: unknown): unknown {
  if (before === after || typeof after !== 'object' || after === null || Object.isFrozen(after)) return after;
  const old = areAlike(before, after) ? before : undefined;
  const now = after as Record<string, unknown>;
  let isSame = old !== undefined;
  for (const key in now) {
    const value = settled(old?.[key], now[key]);
    if (value !== now[key]) now[key] = value;
    if (isSame && value !== old![key]) isSame = false;
  }
  return isSame ? old : Object.freeze(now);
}

/** Whether two values are lists of one length, or objects with the same keys in the same order. */
function areAlike(before: unknown, after: object): before is Record<string, unknown> {
  if (typeof before !== 'object' || before === null) return false;
  if (Array.isArray(after)) return Array.isArray(before) && before.length === after.length;
  if (Array.isArray(before)) return false;
  const keys = Object.keys(before);
  let next = 0;
  for (const key in after) if (keys[next++] !== key) return false;
  return next === keys.length;
}

/** The resulting value of a step, with all that it consists of. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key in value) frozen(value[key]);
  return Object.freeze(value);
}
