import fc from 'fast-check';
import { item } from '../../../model/core/present.ts';
import type { Option, WalkedSchedule } from './walk.ts';
import { doesOf, isRest } from './walk.ts';

/** A policy that chooses moves, created for each walk; with the expected number of moves. */
export type MakeSchedule = (moves: number) => WalkedSchedule;

const NUMBER_MOST = (1 << 30) - 1;
const salts = fc.nat(NUMBER_MOST);

/** One in this many moves of a task leaves its CPU, or is an interrupt, where it could run as well. */
const rests = fc.constantFrom(3, 12, 48);

/** Any actor may be next, at every step; in some schedules the last actor mostly continues. */
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
 * By priorities (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): the
 * enabled actor with the highest one runs, until at some steps the last one gets the lowest priority. A task is then
 * usually preempted; whenever it leaves its CPU, it gets the lowest priority.
 */
const byPriority: fc.Arbitrary<MakeSchedule> = fc
  .record({
    salt: salts,
    /** The position in the walk, in thousandths. */
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

/** One of an actor's moves by a number: usually it continues, and where it may sleep it does every other time. */
function picked(options: readonly Option[], number: number, restOneIn: number): Option {
  const sleeps = options.find(({ move }) => doesOf(move) === 'sleeps');
  if (sleeps !== undefined && number % 2 === 1) return sleeps;
  const goesOn = options.filter(({ move }) => !isRest(move));
  const drawn = number >>> 1;
  const among = goesOn.length === 0 || drawn % restOneIn === 0 ? options : goesOn;
  return item(among, Math.floor(drawn / restOneIn) % among.length);
}

/** A number derived from a name. */
function mixed(number: number, name: string): number {
  let hash = number;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
