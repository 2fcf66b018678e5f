import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { FETCHES } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { readText } from '../../model/text/text.ts';
import { INT3, placeKey } from '../../model/text/view.ts';
import { standingsIn } from '../explain/move-told.ts';
import { ACTORS } from './groups.ts';
import type { ArrowEnd, Timeline } from './timeline.ts';
import { MOVE } from './timeline.ts';

/** What one move causes in a later one: an int3 that a CPU fetches, background work that runs. */
export class MoveArrows {
  /** The last write of an int3 to each place. */
  private readonly int3s = new Map<string, ArrowEnd>();
  /** Where background work was queued that has not run yet. */
  private readonly queued = new Map<string, ArrowEnd>();

  constructor(
    private readonly timeline: Timeline,
    private readonly space: Space,
  ) {}

  /** A move that begins at a time in microseconds. */
  see(played: PlayedSchedule, from: number): void {
    const { before, after, turn } = played;
    const here = { group: ACTORS, track: turn.actor, ts: from + MOVE / 2 };
    this.end(played, here);
    if (after === undefined) return;
    const known = this.int3sIn(before);
    for (const place of this.int3sIn(after)) if (!known.includes(place)) this.int3s.set(place, here);
    const waiting = standingsIn(this.space, before).map(({ who }) => who);
    for (const { who } of standingsIn(this.space, after))
      if (!waiting.includes(who)) this.queued.set(who, here);
  }

  private end(played: PlayedSchedule, here: ArrowEnd): void {
    const { actor, does } = played.turn;
    const queued = this.queued.get(actor);
    this.queued.delete(actor);
    if (queued !== undefined) this.timeline.arrow('queues', queued, here);
    if (!does.startsWith(FETCHES) || !does.includes('int3')) return;
    const place = this.placeOf(played);
    const written = place === undefined ? undefined : this.int3s.get(place);
    if (written !== undefined) this.timeline.arrow('int3', written, here);
  }

  /** Places of the batch of text pokes, and instructions with a kprobe, that hold an int3. */
  private int3sIn(state: PackedState): string[] {
    const k = this.space.kernelOf(state);
    const places = k.text.poke?.vec.map(({ place }) => place) ?? [];
    return [
      ...places.filter((place) => readText(k, place, 1) === INT3).map(placeKey),
      ...Object.entries(k.text.probed).flatMap(([ip, bytes]) => (bytes.startsWith(INT3) ? [ip] : [])),
    ];
  }

  /** The place that a task fetches at. */
  private placeOf({ before, move }: PlayedSchedule): string | undefined {
    const caller = this.space.callerOf(before, unpackMove(move).index);
    if (caller === null) return undefined;
    const stand = this.space.runner.standOf(this.space.kernelOf(before), caller);
    return stand.at === 'place' ? placeKey(stand.place) : undefined;
  }
}
