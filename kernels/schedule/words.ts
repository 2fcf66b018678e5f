import { taskName } from '../../checker/interleavings/actor-names.ts';
import { RUNS } from '../../checker/interleavings/schedule.ts';
import type { Direction } from './play-directions.ts';
import type { Staging } from './staging.ts';

/** What a staging does, a line for each turn: `task#1 is stopped at body_hook`. */
export function directionLines({ space, directions }: Pick<Staging, 'space' | 'directions'>): string[] {
  const begun = space.scenario.callers.flatMap(({ startsAt }, i) =>
    startsAt === undefined ? [] : [`${taskName(i)} is ${startsAt.condition} at ${startsAt.place}`],
  );
  return [...begun, ...directions.map(directionLine)];
}

function directionLine({ actor, begins = '', stop }: Direction): string {
  if (stop === 'at once') return `${actor} ${begins}`;
  const who = begins.startsWith(RUNS) || begins === '' ? actor : `${actor} ${begins}, and`;
  if (stop === undefined) return `${who} runs as far as it gets`;
  if ('ends' in stop)
    return `${who} runs until ${stop.ends === 1 ? 'its call has' : `${stop.ends} of its calls have`} ended`;
  const time = stop.visits === 1 ? '' : `, the ${ordinal(stop.visits)} time`;
  return `${who} is stopped at ${stop.at}${time}`;
}

function ordinal(n: number): string {
  return `${n}${n === 2 ? 'nd' : n === 3 ? 'rd' : 'th'}`;
}
