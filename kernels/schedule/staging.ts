import { clientName } from '../../checker/interleavings/actor-names.ts';
import { CRASH, ITS_END } from '../../checker/interleavings/actors.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { FETCHES, RUNS, turnsOf } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { breachAtEnd } from '../../counterexamples/interleavings/breach-at-end.ts';
import { item, last } from '../../model/core/present.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { PlaceRating } from './places.ts';
import type { Direction, VisitedPlace } from './play-directions.ts';
import { DirectedPlay } from './play-directions.ts';

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

/** Directions that break a law, to the breach, and the moves of the model that follow them. */
export interface Staging {
  readonly space: Space;
  readonly directions: readonly Direction[];
  /** The moves of each direction. */
  readonly played: readonly (readonly PlayedSchedule[])[];
  readonly breach: TaskBreach;
}

/** How well an actor can be stopped at a place. */
export type Rate = (place: string) => PlaceRating;

/**
 * A schedule that breaks a law, with the fewest stops, at known places where that is possible; undefined: it does not
 * break it.
 */
export function stagingOf(
  { scenario, runs, grain }: Schedule,
  law: TaskLaw,
  rate: Rate = () => 'known',
): Staging | undefined {
  const space = whole(scenario, grain);
  const { played } = playRuns(space, runs);
  const directions = directionsOf(space, played, runs);
  const own = breachAtEnd(space, law, played);
  const first = staged(space, law, directions, own) ?? staged(space, law, directions);
  return first === undefined ? undefined : withFewestStops(law, first, rate);
}

/** A space in which every move is possible. */
function whole(scenario: Schedule['scenario'], grain: Schedule['grain']): Space {
  return new Space(scenario, { reduce: false, ...(grain === undefined ? {} : { grain }) });
}

/** Why a schedule has no staging: where the model does not follow it, or that it follows it and nothing breaks. */
export function whyUnbroken({ scenario, runs, grain }: Schedule): string {
  const { diverged } = playRuns(whole(scenario, grain), runs);
  return diverged === undefined
    ? 'the schedule breaks no law of the model'
    : `the model parts from it: ${diverged}`;
}

/** The places that actors are stopped at. */
export function stopsOf({ directions }: Pick<Staging, 'directions'>): readonly StoppedDirection[] {
  return directions.filter(isStopped);
}

type StoppedDirection = Direction & { readonly stop: VisitedPlace };

/**
 * A CPU executes what was in memory before a poke. An emulated one never does, and what it does is a direction without the
 * choice.
 */
export function fetchesStale({ begins = '' }: Direction): boolean {
  return begins.startsWith(FETCHES);
}

function isStopped(direction: Direction): direction is StoppedDirection {
  return typeof direction.stop === 'object' && 'at' in direction.stop;
}

/**
 * Each run as a direction: a place is one that its run may have reached before, and the end of a call may not be that of the
 * script.
 */
function directionsOf(
  { scenario }: Pick<Space, 'scenario'>,
  played: readonly PlayedSchedule[],
  runs: readonly Run[],
): Direction[] {
  const left = new Map(scenario.clients.map((script, i) => [clientName(i), script.length]));
  let from = 0;
  return runs.map((run) => {
    const { actor, does, to } = run;
    const moves = played.slice(from, (from += turnsOf(run).length));
    const begins = does === RUNS ? {} : { begins: does };
    const ends = moves.filter((move) => move.to.startsWith(ITS_END)).length;
    const then = (left.get(actor) ?? ends) - ends;
    left.set(actor, then);
    if (run.steps === 0) return { actor, ...begins, stop: 'at once' };
    if (to === CRASH) return { actor, ...begins, stop: undefined };
    if (to.startsWith(ITS_END)) return { actor, ...begins, stop: then > 0 ? { ends } : undefined };
    return { actor, ...begins, stop: { at: to, visits: moves.filter((move) => move.to === to).length } };
  });
}

/** Plays directions, and then everything that is left; undefined: no breach of this law, or none that is like another. */
function staged(
  space: Space,
  law: TaskLaw,
  directions: readonly Direction[],
  like?: TaskBreach,
): Staging | undefined {
  const play = new DirectedPlay(space, law, space.initial(), like);
  for (const direction of directions) if (!play.follow(direction)) return undefined;
  play.finish();
  const { breach, followed } = play;
  if (breach === undefined) return undefined;
  const made = followed.filter(({ moves }) => moves.length > 0);
  return {
    space,
    directions: made.map(({ direction }) => direction),
    played: made.map(({ moves }) => moves),
    breach,
  };
}

/** Leaves out stops, and moves them to known places, for as long as the breach stays. */
function withFewestStops(law: TaskLaw, from: Staging, rate: Rate): Staging {
  let best = from;
  for (let better: Staging | undefined = best; better !== undefined; better = betterThan(best, law, rate))
    best = better;
  return best;
}

function betterThan(now: Staging, law: TaskLaw, rate: Rate): Staging | undefined {
  for (const candidate of candidates(now, rate)) {
    if (costOf(candidate, rate) >= costOf(now.directions, rate)) continue;
    const staging = staged(now.space, law, candidate, now.breach);
    if (staging !== undefined && costOf(staging.directions, rate) < costOf(now.directions, rate))
      return staging;
  }
  return undefined;
}

/** Other places are looked for where nothing can be left out any more. */
function* candidates(now: Staging, rate: Rate): Generator<readonly Direction[]> {
  yield* simpler(now.directions);
  yield* moved(now, rate);
}

/**
 * What cannot be staged is dearer than any number of stops, a stop than any number of turns, and one between calls is cheap.
 */
function costOf(directions: readonly Direction[], rate: Rate): number {
  const stops = stopsOf({ directions });
  const places = stops.reduce((sum, { stop }) => sum + PRICES[rate(stop.at)], 0);
  const choices = directions.filter(({ begins }) => begins !== undefined && !begins.startsWith(RUNS));
  const stale = directions.filter(fetchesStale);
  const ends = directions.filter(({ stop }) => typeof stop === 'object' && 'ends' in stop);
  return (
    places +
    1e7 * stale.length +
    1e4 * stops.length +
    100 * choices.length +
    10 * ends.length +
    directions.length
  );
}

const PRICES: Readonly<Record<PlaceRating, number>> = { known: 0, dear: 1e6, unknown: 1e8 };

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

/** Without a choice of the instruction that is fetched, and of the CPU. */
function withoutChoices(all: readonly Direction[]): readonly Direction[] {
  const isChoice = (begins = '') => begins.startsWith(RUNS) || begins.startsWith(FETCHES);
  return all
    .filter(({ begins, stop }) => !(stop === 'at once' && isChoice(begins)))
    .map(({ actor, begins, stop }) =>
      begins === undefined || isChoice(begins) ? { actor, stop } : { actor, begins, stop },
    );
}

/**
 * Each stop at a place that is not known at a better one instead that the actor gets to, before or afterwards; or where a CPU
 * fetches what it cannot, at any that is as good, with what it can.
 */
function moved({ space, directions, played }: Staging, rate: Rate): (readonly Direction[])[] {
  const isStale = directions.some(fetchesStale);
  return directions.flatMap((direction, i) => {
    if (!isStopped(direction) || (!isStale && rate(direction.stop.at) === 'known')) return [];
    const { actor, stop } = direction;
    const here = item(played, i);
    const later = played
      .slice(i + 1)
      .flatMap((moves, k) => (item(directions, i + 1 + k).actor === actor ? moves : []));
    return [later, alone(space, here, actor)].flatMap((others) =>
      visited([...here, ...others])
        .filter((other) => PRICES[rate(other.at)] < PRICES[rate(stop.at)] + (isStale ? 1 : 0))
        .map((other) => directions.toSpliced(i, 1, { ...direction, stop: other }))
        .map((own) => (isStale ? merged(withoutChoices(own)) : own)),
    );
  });
}

/** The moves of an actor after some others, if no other actor has one. */
function alone(space: Space, moves: readonly PlayedSchedule[], actor: string): PlayedSchedule[] {
  const { after } = last(moves);
  if (after === undefined) return [];
  const play = new DirectedPlay(space, undefined, after);
  play.follow({ actor, stop: undefined });
  return play.followed.flatMap((own) => own.moves);
}

function visited(moves: readonly PlayedSchedule[]): VisitedPlace[] {
  const counts = new Map<string, number>();
  return moves.map(({ to }) => {
    const visits = (counts.get(to) ?? 0) + 1;
    counts.set(to, visits);
    return { at: to, visits };
  });
}

/** Of directions of one actor in a row the last one counts, unless the first has a turn of its own. */
function merged(all: readonly Direction[]): readonly Direction[] {
  return all.filter((own, i) => own.stop === 'at once' || own.actor !== all[i + 1]?.actor);
}
