import { present } from '../../model/core/present.ts';

/*
 * The Chrome trace event format: a JSON object that ui.perfetto.dev and chrome://tracing open. A process is a group of
 * tracks, a thread is a track; times are in microseconds.
 */

/** Arguments of an event: what its details show. */
export type EventArgs = Readonly<Record<string, unknown>>;

interface OnTrack {
  readonly pid: number;
  readonly tid: number;
}

interface Timed extends OnTrack {
  readonly name: string;
  readonly cat: string;
  readonly ts: number;
}

/** One event of the format. */
export type TraceEvent =
  /** Names a process or a thread, or gives its place in the list. */
  | (OnTrack & { readonly ph: 'M'; readonly name: string; readonly args: EventArgs })
  /** A slice, with its duration. */
  | (Timed & { readonly ph: 'X'; readonly dur: number; readonly args: EventArgs })
  /** An instant: of its thread, of its process, of all. */
  | (Timed & { readonly ph: 'i'; readonly s: 't' | 'p' | 'g'; readonly args: EventArgs })
  /** Both ends of an arrow. */
  | (Timed & { readonly ph: 's' | 'f'; readonly id: number; readonly bp?: 'e' });

/** The file. */
export interface TimelineDocument {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ms';
  readonly otherData: EventArgs;
}

/** A track by the group that it is in and its name. */
export interface TrackName {
  readonly group: string;
  readonly track: string;
}

/** A slice of a track: `from` and `to` in microseconds. */
export interface Slice {
  readonly name: string;
  readonly cat: string;
  readonly from: number;
  readonly to: number;
  readonly args?: EventArgs;
}

export interface Instant {
  readonly name: string;
  readonly cat: string;
  readonly ts: number;
  /** The part of the timeline that it belongs to. Default: its track. */
  readonly of?: 'group' | 'all';
  readonly args?: EventArgs;
}

/** A place that an arrow begins or ends at. */
export type ArrowEnd = TrackName & { readonly ts: number };

/** A move, a step of a sequence or a transfer of control lasts this long, in microseconds: the model has no clock. */
export const MOVE = 1000;

type EventOnTrack = Exclude<TraceEvent, { readonly ph: 'M' }>;

/** Tracks with their slices, instants and arrows. Tracks of a group are in the order in which they are first named. */
export class Timeline {
  private readonly groups: Map<string, Map<string, number>>;
  private readonly events: EventOnTrack[] = [];
  private arrows = 0;

  /** All groups that it may have, in their order. */
  constructor(private readonly order: readonly string[]) {
    this.groups = new Map(order.map((group) => [group, new Map()]));
  }

  /** A slice that spans the same time as another one, and encloses it, is added after it. */
  slice(on: TrackName, { name, cat, from, to, args = {} }: Slice): void {
    this.events.push({ ph: 'X', name, cat, ...this.place(on), ts: from, dur: to - from, args });
  }

  instant(on: TrackName, { name, cat, ts, of, args = {} }: Instant): void {
    const s = of === 'all' ? 'g' : of === 'group' ? 'p' : 't';
    this.events.push({ ph: 'i', s, name, cat, ...this.place(on), ts, args });
  }

  /** Both ends have to be in slices of their tracks. */
  arrow(name: string, from: ArrowEnd, to: ArrowEnd): void {
    const of = { name, cat: 'arrow', id: ++this.arrows };
    this.events.push({ ph: 's', ...of, ...this.place(from), ts: from.ts });
    this.events.push({ ph: 'f', bp: 'e', ...of, ...this.place(to), ts: to.ts });
  }

  private place({ group, track }: TrackName): OnTrack {
    const tracks = present(this.groups.get(group), group);
    const tid = tracks.get(track) ?? tracks.size + 1;
    tracks.set(track, tid);
    return { pid: this.order.indexOf(group) + 1, tid };
  }

  /** The whole, in the order of time; an enclosing slice is before what it encloses. */
  document(otherData: EventArgs): TimelineDocument {
    const inOrder = [...this.events.entries()].toSorted(
      ([i, a], [j, b]) => a.ts - b.ts || durationOf(b) - durationOf(a) || (a.ph === 'X' ? j - i : i - j),
    );
    const traceEvents = [...this.names(), ...inOrder.map(([, event]) => event)];
    return { traceEvents, displayTimeUnit: 'ms', otherData };
  }

  private names(): TraceEvent[] {
    return [...this.groups].flatMap(([group, tracks], i): TraceEvent[] => {
      if (tracks.size === 0) return [];
      const pid = i + 1;
      return [
        named({ pid, tid: 0 }, 'process_name', { name: group }),
        named({ pid, tid: 0 }, 'process_sort_index', { sort_index: pid }),
        ...[...tracks].flatMap(([track, tid]) => [
          named({ pid, tid }, 'thread_name', { name: track }),
          named({ pid, tid }, 'thread_sort_index', { sort_index: tid }),
        ]),
      ];
    });
  }
}

function named(on: OnTrack, name: string, args: EventArgs): TraceEvent {
  return { ph: 'M', name, ...on, args };
}

function durationOf(event: EventOnTrack): number {
  return event.ph === 'X' ? event.dur : -1;
}
