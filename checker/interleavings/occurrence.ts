import type { HistoryMoment } from './cause/history.ts';
import type { TaskBreach } from './judge.ts';
import type { Space } from './space.ts';

/** A breach in its context: its cause can be found. */
export interface Occurrence extends TaskBreach {
  readonly space: Space;
  /** The moves to it, the last one with those before it; undefined: there was none. */
  readonly history: () => HistoryMoment | undefined;
}
