import fc from 'fast-check';
import { item } from '../../../model/core/present.ts';
import type { Option, WalkedSchedule } from './walk.ts';
import { doesOf, isRest } from './walk.ts';

/** How moves are chosen, made again for each walk; of how many moves the walk is expected to be. */
export type MakeSchedule = (moves: number) => WalkedSchedule;

const NUMBER_MOST = (1 << 30) - 1;
const salts = fc.nat(NUMBER_MOST);

/** One in so many moves of a task is to leave its CPU, or an interrupt, where it might go on as well. */
const rests = fc.constantFrom(3, 12, 48);

/** Anybody may come next, at every step; in some schedules who has moved mostly goes on. */
const arbitrarily: fc.Arbitrary<MakeSchedule> = fc
  .record({ salt: salts, stays: fc.constantFrom(0, 3, 15), restOneIn: rests })
  .map(({ salt, stays, restOneIn }) => () => {
    let last = '';
    return {
      rank: (who, step) =>
        who === last && mixed(salt, `${step}`) % (stays + 1) > 0
          ? Number.POSITIVE_INFINITY
          : mixed(salt + step, who),
      pick: (options, step) => picked(options, mixed(salt, `option ${step}`), restOneIn),
      ran: ({ who, move }) => {
        last = isRest(move) ? '' : who;
      },
    };
  });

/** Changes of priority: with d of them a bug that needs d + 1 orderings is found with a known probability. */
const CHANGES_MOST = 4;

/**
 * By priorities (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): the actor
 * with the highest one that can go on does, until at some steps the one that has run comes after all others. A task is
 * taken from its CPU then, mostly; whenever it leaves it, it comes after all others.
 */
const byPriority: fc.Arbitrary<MakeSchedule> = fc
  .record({
    salt: salts,
    /** Where in the walk: parts of a thousand. */
    changes: fc.array(fc.nat(999), { maxLength: CHANGES_MOST, size: 'max' }),
    restOneIn: rests,
  })
  .map(({ salt, changes, restOneIn }) => (moves) => {
    const steps = changes.map((part) => Math.floor((part * moves) / 1000));
    const last = new Map<string, number>();
    return {
      rank: (who) => last.get(who) ?? mixed(salt, who),
      pick: (options, step) => {
        const number = mixed(salt, `option ${step}`);
        const leaves = options.find(({ move }) => doesOf(move) === 'is preempted');
        return steps.includes(step) && number % 4 > 0 && leaves !== undefined
          ? leaves
          : picked(options, number, restOneIn);
      },
      ran: ({ who, move }, step) => {
        if (steps.includes(step) || isRest(move)) last.set(who, -1 - step);
      },
    };
  });

/** Schedules of both kinds. */
export const schedules: fc.Arbitrary<MakeSchedule> = fc.oneof(arbitrarily, byPriority);

/** One of an actor's moves by a number: most of the time it goes on, and where it may sleep it does every other time. */
function picked(options: readonly Option[], number: number, restOneIn: number): Option {
  const sleeps = options.find(({ move }) => doesOf(move) === 'sleeps');
  if (sleeps !== undefined && number % 2 === 1) return sleeps;
  const goesOn = options.filter(({ move }) => !isRest(move));
  const drawn = number >>> 1;
  const among = goesOn.length === 0 || drawn % restOneIn === 0 ? options : goesOn;
  return item(among, Math.floor(drawn / restOneIn) % among.length);
}

/** A number that is another one for each name. */
function mixed(number: number, name: string): number {
  let hash = number;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
