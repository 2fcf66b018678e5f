import type { EventArgs, Timeline, TrackName } from './timeline.ts';
import { MOVE } from './timeline.ts';

/** Something that has a value for a while: the holder of a lock, the bytes of a call site, a task on a CPU. */
export interface LastingValue extends TrackName {
  readonly name: string;
  readonly cat: string;
  /** Two values in succession with one key are one slice; of slices that it spans, the first has its arguments. */
  readonly key: string;
  readonly args: EventArgs;
}

interface Since {
  readonly value: LastingValue;
  readonly from: number;
}

/** Tracks with a slice for each value, from the state that first has it to the state that no longer does. */
export class LastingValues {
  private since = new Map<string, Since>();
  private now = 0;

  constructor(private readonly timeline: Timeline) {}

  /** The values of the next state, at a time in microseconds; at most one for each track. */
  see(values: readonly LastingValue[], now: number): void {
    this.now = now;
    const next = new Map<string, Since>();
    for (const value of values) {
      const track = `${value.group}\n${value.track}`;
      const before = this.since.get(track);
      next.set(track, before?.value.key === value.key ? before : { value, from: now });
    }
    for (const [track, own] of this.since) if (next.get(track) !== own) this.ends(own, now);
    this.since = next;
  }

  /** The last state lasts as long as a move. */
  end(): void {
    for (const own of this.since.values()) this.ends(own, this.now + MOVE);
    this.since.clear();
  }

  private ends({ value, from }: Since, to: number): void {
    const { name, cat, args } = value;
    this.timeline.slice(value, { name, cat, from, to, args });
  }
}
