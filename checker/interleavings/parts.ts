import type { Caller } from '../../model/call/caller.ts';
import type { ImageId } from '../../model/core/ids.ts';
import type { Flavour, Locals } from '../../model/core/part.ts';
import type { Ended, RoutineFrame } from '../../model/core/world.ts';

/** A client: what its operations have answered so far, and the one that is under way. */
export interface ClientParts {
  readonly answers: readonly Ended[];
  readonly frames: readonly RoutineFrame[] | null;
  /** What it waits for. */
  readonly waits: Flavour | null;
  /** Callers that its grace period still waits for: a bit set of their numbers. */
  readonly holdouts: number;
}

/** Background work: what was handed to a grace period or to a work queue. */
export interface Work {
  /** By what name it holds locks. */
  readonly who: string;
  readonly routine: string;
  readonly args: Locals;
  /** The retired image that it is about; empty: something else. */
  readonly image: ImageId;
  readonly frames: readonly RoutineFrame[];
  readonly waits: Flavour | null;
  readonly holdouts: number;
}

/** A call under way, or none: it has not begun, or is over. */
export type CallerPart = Caller | null;
