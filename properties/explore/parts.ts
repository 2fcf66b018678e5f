import type { Caller } from '../../model/caller.ts';
import type { Flavour } from '../../model/core/part.ts';
import type { Ended, Frame } from '../../model/core/world.ts';
import type { View } from '../../model/text/view.ts';
import type { Active } from '../../model/thread.ts';

/** What belongs to a processor, whoever runs on it. */
export interface Processor {
  readonly view: View;
  readonly active: Active;
}

/** An operation that is under way, of a client or in the background; without frames it is between operations. */
export interface Work {
  /** Operations that a client has begun so far; −1: background work. */
  readonly begun: number;
  readonly frames: readonly Frame[] | null;
  /** What it waits for now. */
  readonly waits: Flavour | null;
}

/** A call under way, or none: it has not begun, or is over. */
export type CallerPart = Caller | null;

/** When operations began and ended, in order: who, and with which answer. */
export type Log = readonly LogEntry[];

export interface LogEntry {
  readonly client: number;
  readonly ended?: Ended;
}
