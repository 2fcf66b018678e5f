import { createDraft, current, finishDraft, freeze, isDraft } from 'immer';
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
    const parts = createDraft(stage.parts as unknown[]);
    // Frames are small and change with each instruction: a copy is cheaper than a draft of them.
    const rest = copyPart(stage.rest) as T;
    const latest = new Set<number>();
    this.latest = latest;
    const k = this.layout.facade(parts, (part) => latest.add(part));
    change(k, rest, parts);
    for (const part of latest) this.reads.add(part);
    const kept = withoutDrafts(rest);
    return { parts: finishDraft(parts), rest: kept };
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

/** The resulting value of a step, frozen; its parts of the kernel are as they are now. */
function withoutDrafts<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (isDraft(value)) return freeze(current(value as object), true) as T;
  if (Object.isFrozen(value)) return value;
  for (const key in value) value[key] = withoutDrafts(value[key]);
  return Object.freeze(value);
}
