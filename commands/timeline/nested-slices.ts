import type { EventArgs, Timeline, TrackName } from './timeline.ts';

/** A slice that encloses others: a call, an operation, a kernel function. */
export interface Enclosing {
  readonly name: string;
  readonly cat: string;
  readonly args?: EventArgs;
}

/** The innermost slice, with its time in microseconds. */
export interface Innermost extends Enclosing {
  readonly from: number;
  readonly to: number;
}

interface Open extends Enclosing {
  readonly from: number;
}

/**
 * A track whose slices enclose each other, as the frames of a stack. What encloses a slice stays open until one with other
 * frames comes: it spans the moves of other actors in between.
 */
export class NestedSlices {
  private open: Open[] = [];
  /** The end of the last innermost slice. */
  private until = 0;

  constructor(
    private readonly timeline: Timeline,
    private readonly track: TrackName,
  ) {}

  /** A slice in these, the outermost first. Slices of a track come in the order of time. */
  add(path: readonly Enclosing[], slice: Innermost): void {
    const same = path.findIndex(({ name }, i) => this.open[i]?.name !== name);
    this.close(same < 0 ? path.length : same);
    for (const enclosing of path.slice(this.open.length)) this.open.push({ ...enclosing, from: slice.from });
    this.timeline.slice(this.track, slice);
    this.until = slice.to;
  }

  /** Ends all slices but this number of the outermost ones. */
  close(left: number): void {
    while (this.open.length > left) {
      const closed = this.open.pop()!;
      this.timeline.slice(this.track, { ...closed, to: this.until });
    }
  }
}
