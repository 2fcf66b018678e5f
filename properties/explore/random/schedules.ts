import fc from 'fast-check';
import type { Schedule } from './walk.ts';

/** Steps in which a schedule is drawn; behind them the numbers come again. */
const STEPS = 600;
const NUMBER_MOST = (1 << 20) - 1;

/** How moves are chosen, made anew for each walk. */
export type MakeSchedule = () => Schedule;

const numbers = fc.array(fc.nat(NUMBER_MOST), { minLength: STEPS, maxLength: STEPS, size: 'max' });

/** Anybody may come next, at every step. */
const arbitrarily: fc.Arbitrary<MakeSchedule> = numbers.map((drawn) => () => {
  const at = (step: number) => drawn[step % STEPS]!;
  return { rank: (who, step) => mixed(at(step), who), pick: at, ran: () => {} };
});

/** A number that is another one for each name. */
function mixed(number: number, who: string): number {
  let hash = number;
  for (let i = 0; i < who.length; i++) hash = Math.imul(hash ^ who.charCodeAt(i), 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Changes of priority: with d of them a bug that needs d + 1 orderings is found with a known probability. */
const CHANGES_MOST = 4;

/**
 * By priorities (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): the actor
 * with the highest one that can go on does, until at some steps the one that has run comes behind all others.
 */
const byPriority: fc.Arbitrary<MakeSchedule> = fc
  .record({
    salt: fc.nat(NUMBER_MOST),
    changes: fc.array(fc.nat(STEPS / 2), { maxLength: CHANGES_MOST, size: 'max' }),
    drawn: numbers,
  })
  .map(({ salt, changes, drawn }) => () => {
    const last = new Map<string, number>();
    return {
      rank: (who) => last.get(who) ?? mixed(salt, who),
      pick: (step) => drawn[step % STEPS]!,
      ran: (who, step) => {
        if (changes.includes(step)) last.set(who, -1 - step);
      },
    };
  });

/** Schedules of both kinds. */
export const schedules: fc.Arbitrary<MakeSchedule> = fc.oneof(arbitrarily, byPriority);
