import type { Kernel } from '../../model/kernel.ts';
import { copyPart } from '../../properties/observed/copy-kernel.ts';
import type { Effect } from './effects.ts';
import type { WorldParts } from './world-parts.ts';
import type { SearchedWorld, Worlds } from './worlds.ts';

/** The parts of a world, and the other changes of a step. */
export interface WatchedStage<T> {
  readonly parts: readonly unknown[];
  readonly rest: T;
}

/** Watches steps in a world: the parts that they read, and those that they write. */
export class Watched {
  private readonly reads = new Set<number>();
  /** The reads of the latest step. */
  private latest = new Set<number>();
  /** The parts as they are before the first step. */
  readonly start: readonly unknown[];

  constructor(
    private readonly layout: WorldParts,
    private readonly worlds: Worlds,
    private readonly world: SearchedWorld,
  ) {
    this.start = worlds.partsOf(world);
  }

  /** Runs a step on a kernel and a value, neither of which is changed. */
  run<T extends object>(
    stage: WatchedStage<T>,
    change: (k: Kernel, rest: T, parts: unknown[]) => void,
  ): WatchedStage<T> {
    const parts = stage.parts.slice();
    const rest = copyPart(stage.rest) as T;
    const latest = new Set<number>();
    this.latest = latest;
    const k = this.layout.facade(parts, (part) => {
      if (latest.has(part)) return;
      latest.add(part);
      parts[part] = copyPart(parts[part]);
    });
    change(k, rest, parts);
    for (const part of latest) this.reads.add(part);
    for (let part = 0; part < parts.length; part++) parts[part] = settled(stage.parts[part], parts[part]);
    return { parts, rest: frozen(rest) };
  }

  /** The numbers of the parts that the latest step has read. */
  get latestReads(): ReadonlySet<number> {
    return this.latest;
  }

  /** Reads a kernel without changing it. */
  look<R>(question: (k: Kernel) => R): R {
    return question(this.layout.facade(this.start.slice(), (part) => this.reads.add(part)));
  }

  noteRead(part: number): void {
    this.reads.add(part);
  }

  /** The effect of all steps together. */
  effect<R>(after: readonly unknown[], result: R): Effect<R> {
    const reads: number[] = [];
    for (const part of [...this.reads].sort((a, b) => a - b)) reads.push(part, this.world[part]!);
    const writes: number[] = [];
    after.forEach((value, part) => {
      if (value === this.start[part]) return;
      const number = this.worlds.partNumber(value);
      if (number !== this.world[part]) writes.push(part, number);
    });
    return { reads, writes, result };
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
