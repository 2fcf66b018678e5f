import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { printRun } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { changeWords, moveWords } from '../../counterexamples/interleavings/move-text.ts';
import { findingWords, movesByRun } from '../../counterexamples/interleavings/task-report.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { objectText } from '../../model/core/object-words.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { moveDelta, seenEvents, standingTexts, warningsOf } from '../explain/move-told.ts';
import type { PlayedInterleaving } from '../explain/played-interleaving.ts';
import { namedBreach } from '../explain/played-interleaving.ts';
import { MoveArrows } from './arrows.ts';
import { ACTORS, GRACE_PERIODS, GROUPS, SCHEDULE } from './groups.ts';
import { passedTasks, valuesOf } from './kernel-values.ts';
import { LastingValues } from './lasting-values.ts';
import { MoveSlices } from './move-slices.ts';
import { NestedSlices } from './nested-slices.ts';
import type { EventArgs, TimelineDocument } from './timeline.ts';
import { MOVE, Timeline } from './timeline.ts';

const MOVES = { group: SCHEDULE, track: 'moves' };

/** An interleaving as a timeline: move n, from 1, begins n − 1 milliseconds after the start. */
export function interleavingTimeline(own: PlayedInterleaving): TimelineDocument {
  const { space, played, schedule, law, planted, diverged } = own;
  const about = {
    kernel: schedule.scenario.profile,
    cpus: schedule.scenario.cpus,
    law: law ?? null,
    planted: planted ?? null,
    moves: played.length,
    diverged: diverged ?? null,
    time: 'one move is one millisecond: the model has no clock',
  };
  const timeline = new Timeline(GROUPS);
  if (space === undefined) return timeline.document(about);
  new Moves(timeline, space).addAll(played);
  runSlices(timeline, own);
  breachInstant(timeline, space, own);
  return timeline.document(about);
}

/** The runs of the schedule, which enclose their moves. */
function runSlices(timeline: Timeline, { played, schedule: { runs } }: PlayedInterleaving): void {
  let from = 0;
  for (const { run, moves } of movesByRun(played, runs)) {
    if (moves.length === 0) continue;
    const to = from + moves.length * MOVE;
    timeline.slice(MOVES, { name: printRun(run), cat: 'run', from, to });
    from = to;
  }
}

/** Puts moves on their tracks, one after the other. */
class Moves {
  private readonly tracks = new Map<string, NestedSlices>();
  private readonly slices: MoveSlices;
  private readonly values: LastingValues;
  private readonly arrows: MoveArrows;

  constructor(
    private readonly timeline: Timeline,
    private readonly space: Space,
  ) {
    this.slices = new MoveSlices(space);
    this.values = new LastingValues(timeline);
    this.arrows = new MoveArrows(timeline, space);
  }

  addAll(played: readonly PlayedSchedule[]): void {
    this.values.see(valuesOf(this.space, this.space.initial()), 0);
    for (const [i, move] of played.entries()) this.add(move, i);
    this.values.end();
    for (const track of this.tracks.values()) track.close(0);
  }

  private add(played: PlayedSchedule, index: number): void {
    const [from, to] = [index * MOVE, (index + 1) * MOVE];
    this.timeline.slice(MOVES, {
      name: `${played.turn.actor}: ${moveWords(this.space, played) || played.turn.does}`,
      cat: 'move',
      from,
      to,
      args: moveArgs(this.space, played, index + 1),
    });
    this.onTrack(played, from);
    this.instants(played, to);
    this.arrows.see(played, from);
    if (played.after === undefined) return;
    this.values.see(valuesOf(this.space, played.after), to);
    for (const { track, task } of passedTasks(this.space, played.before, played.after))
      this.timeline.instant(
        { group: GRACE_PERIODS, track },
        { name: `${task} has passed`, cat: 'grace period', ts: to },
      );
  }

  /** A move's parts share its time. */
  private onTrack(played: PlayedSchedule, from: number): void {
    const { actor } = played.turn;
    const slices = this.slices.of(played);
    const startOf = (i: number) => from + Math.floor((i * MOVE) / slices.length);
    const track = this.trackOf(actor);
    slices.forEach(({ path, slice }, i) => {
      track.add(path, { ...slice, from: startOf(i), to: startOf(i + 1) });
    });
    if (this.slices.isLast(played)) track.close(0);
  }

  private trackOf(actor: string): NestedSlices {
    let track = this.tracks.get(actor);
    if (track === undefined)
      this.tracks.set(actor, (track = new NestedSlices(this.timeline, { group: ACTORS, track: actor })));
    return track;
  }

  /** What clients see, WARNs and freed memory, at the end of a move. */
  private instants(played: PlayedSchedule, ts: number): void {
    const on = { group: ACTORS, track: played.turn.actor };
    for (const { event, text } of seenEvents(this.space, played))
      this.timeline.instant(on, { name: text, cat: 'event', ts, args: { ...event } });
    for (const warning of warningsOf(this.space, played))
      this.timeline.instant(on, { name: `WARN ${warningText(warning)}`, cat: 'warning', ts, of: 'group' });
    for (const object of freedBy(played))
      this.timeline.instant(on, { name: `${object} is freed`, cat: 'freed', ts, of: 'group' });
  }
}

function freedBy({ event }: PlayedSchedule): string[] {
  return event?.is === 'work' || event?.is === 'operation' ? event.step.freed.map(objectText) : [];
}

/** A move in its parts, for the details of its slice. */
function moveArgs(space: Space, played: PlayedSchedule, move: number): EventArgs {
  const { turn, to } = played;
  return {
    move,
    actor: turn.actor,
    does: turn.does,
    to,
    changes: moveDelta(space, played).map(changeWords),
    locks: standingTexts(space, played),
  };
}

/** The breach of the law that the file names, or the crash, for all to see. */
function breachInstant(timeline: Timeline, space: Space, own: PlayedInterleaving): void {
  const { played, diverged } = own;
  if (diverged !== undefined) return;
  const ts = played.length * MOVE;
  const breach = namedBreach(own);
  const event = played.at(-1)?.event;
  if (breach !== undefined) {
    const args = {
      law: breach.law.name,
      sentence: breach.law.sentence,
      ...findingWords({ space, played, breach }),
    };
    timeline.instant(MOVES, { name: `✗ ${breach.law.name}`, cat: 'breach', ts, of: 'all', args });
  } else if (event?.is === 'crash')
    timeline.instant(MOVES, {
      name: `✗ the kernel crashes: ${crashText(event.crash)}`,
      cat: 'crash',
      ts,
      of: 'all',
    });
}
