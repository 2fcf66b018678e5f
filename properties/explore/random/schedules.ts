import fc from 'fast-check';
import type { Choose, Option } from './walk.ts';

/** Steps in which a schedule is drawn; behind them whoever can go on does. */
const STEPS = 600;

/** How moves are chosen, made anew for each walk. */
export type Schedule = () => Choose;

/** Any of the moves, each as likely as the others. */
const arbitrarily: fc.Arbitrary<Schedule> = fc
  .array(fc.nat(1 << 20), { minLength: STEPS / 2, maxLength: STEPS, size: 'max' })
  .map((numbers) => () => (options, step) => (numbers[step] ?? 0) % options.length);

/** Changes of priority: with d of them a bug that needs d + 1 orderings is found with a known probability. */
const CHANGES_MOST = 4;

/**
 * By priorities (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"): the actor
 * with the highest priority that can go on does, until at some steps the one that runs comes behind all others.
 */
const byPriority: fc.Arbitrary<Schedule> = fc
  .record({
    order: fc.array(fc.nat(1 << 20), { minLength: 16, maxLength: 16, size: 'max' }),
    changes: fc.array(fc.nat(STEPS / 2), { maxLength: CHANGES_MOST, size: 'max' }),
    numbers: fc.array(fc.nat(1 << 20), { minLength: STEPS, maxLength: STEPS, size: 'max' }),
  })
  .map(({ order, changes, numbers }) => () => {
    const priorities = new Map<string, number>();
    let lowest = 0;
    const priorityOf = (who: string) => {
      const known = priorities.get(who) ?? 1 + order[priorities.size % order.length]!;
      priorities.set(who, known);
      return known;
    };
    return (options, step) => {
      const first = [...options].sort((a, b) => priorityOf(b.who) - priorityOf(a.who))[0]!;
      if (changes.includes(step)) priorities.set(first.who, --lowest);
      const own = ownMoves(options, first.who);
      return own[(numbers[step] ?? 0) % own.length]!;
    };
  });

function ownMoves(options: readonly Option[], who: string): number[] {
  return options.flatMap((option, i) => (option.who === who ? [i] : []));
}

/** Schedules of both kinds. */
export const schedules: fc.Arbitrary<Schedule> = fc.oneof(arbitrarily, byPriority);
