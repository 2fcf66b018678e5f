import { actorOf, CRASH, fetchesOf, ITS_END } from '../../checker/interleavings/actors.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { Judge } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule, ScheduleTurn } from '../../checker/interleavings/play.ts';
import { movesOf, playRuns, playTurn } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { FETCHES, RUNS, turnsOf } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { item } from '../../model/core/present.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';

/*
 * A schedule of the explorer is the shortest in steps; on a running kernel a step costs nothing, and a task that has to be
 * stopped in the middle of a function costs a place in machine code. Here the same breach is reached with the fewest stops:
 *
 * ```text
 *   client#1 to "leave direct mode"       task#1 to "read fgraph_direct_gops"
 *   task#1 to "read fgraph_direct_gops"   client#1 as far as it gets
 *   client#1 to "fgraph_retfunc …"        task#1 as far as it gets
 *   task#1 to its end
 * ```
 */

/** What an actor does until another one has its turn. */
export interface Direction {
  /** `client#1`, `task#1`, `work bpf_tramp_image_put(tramp#1)`. */
  readonly actor: string;
  /** Its first turn where it has a choice: what it fetches of a text that is being patched, sleep, an interrupt. */
  readonly begins?: string;
  /** Where it is stopped; undefined: it runs as far as it gets. */
  readonly stop: Stop | undefined;
}

/** After its first turn, or when it reaches a place for the nth time. */
export type Stop = 'at once' | { readonly at: string; readonly visits: number };

/** Directions that break a law, to the breach, and the moves of the model that follow them. */
export interface Staging {
  readonly space: Space;
  readonly directions: readonly Direction[];
  /** The moves of each direction. */
  readonly played: readonly (readonly PlayedSchedule[])[];
  readonly breach: TaskBreach;
}

/** Whether an actor can be stopped at a place. */
export type IsKnown = (place: string) => boolean;

/**
 * A schedule that breaks a law, with the fewest stops, at known places where that is possible; undefined: it does not
 * break it.
 */
export function stagingOf(
  { scenario, runs, grain }: Schedule,
  law: TaskLaw,
  isKnown: IsKnown = () => true,
): Staging | undefined {
  const options = grain === undefined ? {} : { grain };
  const saved = new Space(scenario, options);
  const directions = directionsOf(playRuns(saved, runs).played, runs);
  const first = staged(new Space(scenario, { ...options, reduce: false }), law, directions);
  return first === undefined ? undefined : withFewestStops(law, first, isKnown);
}

/** The places that actors are stopped at. */
export function stopsOf({ directions }: Pick<Staging, 'directions'>): readonly Direction[] {
  return directions.filter(({ stop }) => stop !== undefined && stop !== 'at once');
}

/** Each run as a direction: a place is one that its run may have reached before. */
function directionsOf(played: readonly PlayedSchedule[], runs: readonly Run[]): Direction[] {
  let from = 0;
  return runs.map((run) => {
    const { actor, does, to } = run;
    const moves = played.slice(from, (from += turnsOf(run).length));
    const begins = does === RUNS ? {} : { begins: does };
    if (run.steps === 0) return { actor, ...begins, stop: 'at once' };
    const isFar = to.startsWith(ITS_END) || to === CRASH;
    return {
      actor,
      ...begins,
      stop: isFar ? undefined : { at: to, visits: moves.filter((move) => move.to === to).length },
    };
  });
}

/** Plays directions, and then everything that is left; undefined: no breach of this law. */
function staged(
  space: Space,
  law: TaskLaw,
  directions: readonly Direction[],
  like?: TaskBreach,
): Staging | undefined {
  const play = new Play(space, law);
  for (const direction of directions) if (!play.follow(direction)) return undefined;
  play.finish();
  const { breach, followed } = play;
  if (breach === undefined || (like !== undefined && !isAlike(like, breach))) return undefined;
  const made = followed.filter(({ moves }) => moves.length > 0);
  return {
    space,
    directions: made.map(({ direction }) => direction),
    played: made.map(({ moves }) => moves),
    breach,
  };
}

/** The same kind of finding, and of crash. */
function isAlike({ finding: a }: TaskBreach, { finding: b }: TaskBreach): boolean {
  return a.is === b.is && (a.is !== 'crashes' || b.is !== 'crashes' || a.crash.is === b.crash.is);
}

/** Moves of a schedule at most: an actor that waits actively does not end. */
const MOVES_MOST = 4000;

/** A schedule that is played by directions. */
class Play {
  readonly followed: { readonly direction: Direction; readonly moves: PlayedSchedule[] }[] = [];
  breach: TaskBreach | undefined;
  private made = 0;
  private state: PackedState | undefined;
  private readonly judge: Judge;

  constructor(
    private readonly space: Space,
    law: TaskLaw,
  ) {
    this.judge = new Judge(space, [law], space.program);
    this.state = space.initial();
  }

  /** Whether the actor gets to where it is to stop. */
  follow(direction: Direction): boolean {
    const { actor, begins, stop } = direction;
    this.followed.push({ direction, moves: [] });
    let visits = 0;
    const isThere = (move: PlayedSchedule) =>
      stop === 'at once' || (stop !== undefined && move.to === stop.at && ++visits === stop.visits);
    let move = begins === undefined ? this.step(actor) : this.turn({ actor, does: begins });
    while (move !== undefined && !this.isOver) {
      if (isThere(move)) return true;
      move = this.step(actor);
    }
    return this.isOver || stop === undefined;
  }

  /** Everybody, one after the other, as far as each gets. */
  finish(): void {
    for (let before = -1; before !== this.made && !this.isOver; ) {
      before = this.made;
      for (const actor of this.actors()) this.follow({ actor, stop: undefined });
    }
    if (this.state === undefined || this.isOver || movesOf(this.space, this.state).length > 0) return;
    this.breach = this.judge.final(this.state);
  }

  private get isOver(): boolean {
    return this.state === undefined || this.breach !== undefined || this.made > MOVES_MOST;
  }

  private actors(): string[] {
    const { space, state } = this;
    if (state === undefined) return [];
    return space.actors(state).map(({ kind, index }) => actorOf(space, state, { who: kind, index }));
  }

  /** A step of an actor; a task that runs on no CPU gets one. */
  private step(actor: string): PlayedSchedule | undefined {
    for (const does of this.isOver ? [] : this.stepsOf(actor)) {
      const move = this.turn({ actor, does });
      if (move !== undefined) return move;
    }
    return undefined;
  }

  private stepsOf(actor: string): string[] {
    const { space, state } = this;
    const task = /^task#(\d+)$/.exec(actor);
    if (task === null || state === undefined) return [RUNS];
    const cpus = Array.from({ length: space.scenario.cpus }, (_, cpu) => `${RUNS} on cpu ${cpu}`);
    const fetches = fetchesOf(space, state, Number(task[1]) - 1).map((text) => FETCHES + text);
    return [RUNS, ...cpus, ...fetches];
  }

  private turn(turn: ScheduleTurn): PlayedSchedule | undefined {
    if (this.state === undefined) return undefined;
    const move = playTurn(this.space, this.state, turn);
    if (move === undefined) return undefined;
    const { before, after, event } = move;
    this.followed.at(-1)?.moves.push(move);
    this.made++;
    this.state = after;
    if (event !== undefined) this.breach = this.judge.event(before, after, event);
    return move;
  }
}

/** Leaves out stops, and moves them to known places, for as long as the breach stays. */
function withFewestStops(law: TaskLaw, from: Staging, isKnown: IsKnown): Staging {
  let best = from;
  for (let better: Staging | undefined = best; better !== undefined; better = betterThan(best, law, isKnown))
    best = better;
  return best;
}

function betterThan(now: Staging, law: TaskLaw, isKnown: IsKnown): Staging | undefined {
  for (const candidate of [...simpler(now.directions), ...moved(now, isKnown)]) {
    if (costOf(candidate, isKnown) >= costOf(now.directions, isKnown)) continue;
    const staging = staged(now.space, law, candidate, now.breach);
    if (staging !== undefined && costOf(staging.directions, isKnown) < costOf(now.directions, isKnown))
      return staging;
  }
  return undefined;
}

/** An unknown place is dearer than any number of stops, and a stop than any number of turns. */
function costOf(directions: readonly Direction[], isKnown: IsKnown): number {
  const stops = stopsOf({ directions });
  const unknown = stops.filter(({ stop }) => typeof stop === 'object' && !isKnown(stop.at));
  const choices = directions.filter(({ begins }) => begins !== undefined && !begins.startsWith(RUNS));
  return 1e6 * unknown.length + 1e4 * stops.length + 100 * choices.length + directions.length;
}

/** Each direction left out, without its stop, without its stop and later, or joined with the next of its actor. */
function simpler(all: readonly Direction[]): (readonly Direction[])[] {
  return all.flatMap((direction, i) => {
    const far: Direction = { ...direction, stop: undefined };
    const next = all.findIndex((other, k) => k > i && other.actor === direction.actor);
    const joined = next < 0 ? [] : [all.toSpliced(next, 1).toSpliced(i, 1, item(all, next))];
    const rest = all.toSpliced(i, 1);
    const later = rest.slice(i).map((_, k) => rest.toSpliced(i + k + 1, 0, far));
    return [rest, ...joined, all.toSpliced(i, 1, far), ...later].flatMap((own) => [
      merged(own),
      merged(withoutChoices(own)),
    ]);
  });
}

/** What is fetched, and on which CPU, as it comes. */
function withoutChoices(all: readonly Direction[]): readonly Direction[] {
  const isChoice = (begins = '') => begins.startsWith(RUNS) || begins.startsWith(FETCHES);
  return all
    .filter(({ begins, stop }) => !(stop === 'at once' && isChoice(begins)))
    .map(({ actor, begins, stop }) =>
      begins === undefined || isChoice(begins) ? { actor, stop } : { actor, begins, stop },
    );
}

/** Each stop at an unknown place at a known one instead that the actor gets to, before or afterwards. */
function moved({ directions, played }: Staging, isKnown: IsKnown): (readonly Direction[])[] {
  return directions.flatMap((direction, i) => {
    const { actor, stop } = direction;
    if (typeof stop !== 'object' || isKnown(stop.at)) return [];
    const visits = new Map<string, number>();
    return played.slice(i).flatMap((moves, k) =>
      (item(directions, i + k).actor === actor ? moves : []).flatMap(({ to }) => {
        const visit = (visits.get(to) ?? 0) + 1;
        visits.set(to, visit);
        if (!isKnown(to)) return [];
        return [directions.toSpliced(i, 1, { ...direction, stop: { at: to, visits: visit } })];
      }),
    );
  });
}

/** Of directions of one actor in a row the last one counts, unless the first has a turn of its own. */
function merged(all: readonly Direction[]): readonly Direction[] {
  return all.filter((own, i) => own.stop === 'at once' || own.actor !== all[i + 1]?.actor);
}
