import { createDraft, finishDraft } from 'immer';
import type { Kernel } from '../../model/kernel.ts';
import type { Effect } from './effects.ts';
import type { WorldParts } from './world-parts.ts';
import type { SearchedWorld, Worlds } from './worlds.ts';

/** The parts of a world, and what else a step changes beside them. */
export interface WatchedStage<T> {
  readonly parts: readonly unknown[];
  readonly rest: T;
}

/** Watches steps in a world: which parts they read, and what they leave. */
export class Watched {
  private readonly reads = new Set<number>();
  /** What the latest step has read. */
  private latest = new Set<number>();

  constructor(
    private readonly layout: WorldParts,
    private readonly worlds: Worlds,
    private readonly world: SearchedWorld,
  ) {}

  /** The parts as they are before the first step. */
  get start(): unknown[] {
    return this.worlds.partsOf(this.world);
  }

  /** Does something to a kernel and to a value, of which neither is changed. */
  run<T extends object>(
    stage: WatchedStage<T>,
    change: (k: Kernel, rest: T, parts: unknown[]) => void,
  ): WatchedStage<T> {
    const draft = createDraft(stage as { parts: unknown[]; rest: T });
    const latest = new Set<number>();
    this.latest = latest;
    const k = this.layout.facade(draft.parts, (part) => latest.add(part));
    change(k, draft.rest as T, draft.parts);
    for (const part of latest) this.reads.add(part);
    return finishDraft(draft) as WatchedStage<T>;
  }

  /** The numbers of the parts that the latest step has read. */
  get latestReads(): ReadonlySet<number> {
    return this.latest;
  }

  /** Looks at a kernel without changing it. */
  look<R>(question: (k: Kernel) => R): R {
    return question(this.layout.facade(this.start, (part) => this.reads.add(part)));
  }

  noteRead(part: number): void {
    this.reads.add(part);
  }

  /** What all steps together have done. */
  effect<R>(after: readonly unknown[], result: R): Effect<R> {
    const reads: number[] = [];
    for (const part of [...this.reads].sort((a, b) => a - b)) reads.push(part, this.world[part]!);
    const writes: number[] = [];
    after.forEach((value, part) => {
      const number = this.worlds.partNumber(value);
      if (number !== this.world[part]) writes.push(part, number);
    });
    return { reads, writes, result };
  }
}
