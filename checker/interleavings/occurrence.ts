import type { HistoryMoment } from './cause/history.ts';
import type { TaskBreach } from './judge.ts';
import type { Space } from './space.ts';

/** A breach where it has come up: its cause can be asked for. */
export interface Occurrence extends TaskBreach {
  readonly space: Space;
  /** The moves that have led to it, the last one with those before it; undefined: there was none. */
  readonly history: () => HistoryMoment | undefined;
}
