import type { Caller } from '../../model/call/caller.ts';
import type { ImageId } from '../../model/core/ids.ts';
import type { Flavour, Locals } from '../../model/core/part.ts';
import type { Ended, RoutineFrame } from '../../model/core/world.ts';

/** A client: the answers of its operations so far, and the one in progress. */
export interface ClientParts {
  readonly answers: readonly Ended[];
  readonly frames: readonly RoutineFrame[] | null;
  /** What it waits for. */
  readonly waits: Flavour | null;
  /** Callers that its grace period still waits for: a bit set of their numbers. */
  readonly holdouts: number;
}

/** Background work: the callback of a grace period or an item of a work queue. */
export interface Work {
  /** The name under which it holds locks. */
  readonly who: string;
  readonly routine: string;
  readonly args: Locals;
  /** Its retired image; empty: it has none. */
  readonly image: ImageId;
  readonly frames: readonly RoutineFrame[];
  readonly waits: Flavour | null;
  readonly holdouts: number;
}

/** A call in progress, or none: it has not begun, or is over. */
export type CallerPart = Caller | null;
