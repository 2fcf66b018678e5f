import { createHash } from 'node:crypto';
import type { AskedPart, Share } from '../../checker/share.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { RunShard } from './run-shard.ts';

/** The shard that works on a part: it follows from the name alone, so that none has to know of the others. */
export function worksOn({ number, of }: RunShard, part: string): boolean {
  return createHash('sha256').update(part).digest().readUInt32BE() % of === number - 1;
}

/** Of numbered parts, which are dealt out in turn, from 0. */
export function isInTurn({ number, of }: RunShard, part: number): boolean {
  return part % of === number - 1;
}

/** A part of a run that has been worked on. */
export interface KeptPart {
  readonly result: unknown;
  /** The instructions of the kernel's program that it has executed; undefined: its result says so. */
  readonly executed: Uint8Array | undefined;
}

/** Works on the parts of a shard, and keeps their results. */
export class RecordedShare implements Share {
  readonly parts = new Map<string, KeptPart>();
  private open: { readonly part: string; readonly before: Uint8Array } | undefined;

  constructor(private readonly shard: RunShard) {}

  ask(part: string, number?: number): AskedPart {
    const { shard } = this;
    const isOwn = number === undefined ? worksOn(shard, part) : isInTurn(shard, number);
    return { is: isOwn ? 'here' : 'elsewhere' };
  }

  begin(part: string): void {
    this.open = { part, before: KERNEL_PROGRAM.executed.slice() };
    KERNEL_PROGRAM.executed.fill(0);
  }

  keep(part: string, result: unknown): void {
    if (this.open?.part !== part) {
      this.parts.set(part, { result, executed: undefined });
      return;
    }
    this.parts.set(part, { result, executed: KERNEL_PROGRAM.executed.slice() });
    KERNEL_PROGRAM.executed.set(this.open.before);
    this.open = undefined;
  }
}

/** Takes the parts from what the shards of a run have kept; what none has kept is worked on here. */
export class MergedShare implements Share {
  constructor(private readonly parts: ReadonlyMap<string, KeptPart>) {}

  ask(part: string): AskedPart {
    const kept = this.parts.get(part);
    if (kept === undefined) return { is: 'here' };
    if (kept.executed !== undefined) noteExecuted(KERNEL_PROGRAM, kept.executed);
    return { is: 'known', result: kept.result };
  }

  begin(): void {}

  keep(): void {}
}
