import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ids, PartitionRow } from './partition.ts';
import { attachToRows, cut, detachFromRows, groupBy, planCuts } from './partition.ts';

const FUNCTIONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const SEED = { seed: 7, numRuns: 500 };

/** Sets that programs p0, p1 … ask for, one after the other. */
const ATTACHES = fc.array(fc.subarray(FUNCTIONS, { minLength: 1 }), { minLength: 1, maxLength: 5 });

const MODEL = 'one class';

function attachAll(sets: readonly Ids[], order = sets.map((_, i) => i)): PartitionRow[] {
  return order.reduce<PartitionRow[]>((rows, i) => attachToRows(rows, `p${i}`, MODEL, sets[i]!), []);
}

/** Which programs are on each function: the only visible property of the rows. */
function observed(rows: readonly PartitionRow[]): Record<string, readonly string[]> {
  const pairs = rows.flatMap(({ ids, progs }) => ids.map((id) => [id, progs] as const));
  return Object.fromEntries(pairs.sort(([name], [other]) => (name < other ? -1 : 1)));
}

/** The sets alone, without programs or order. */
function partition(rows: readonly PartitionRow[]): string[] {
  return rows.map(({ ids }) => ids.toSorted().join()).sort();
}

describe('rows of functions with the same programs', () => {
  test('have no function in common', () => {
    fc.assert(
      fc.property(ATTACHES, (sets) => {
        const all = attachAll(sets).flatMap(({ ids }) => ids);
        expect(new Set(all).size).toBe(all.length);
      }),
      SEED,
    );
  });

  test('have each program on the functions that it asked for, and on no other', () => {
    fc.assert(
      fc.property(ATTACHES, (sets) => {
        const rows = attachAll(sets);
        sets.forEach((ids, i) => {
          const covered = rows.flatMap((row) => (row.progs.includes(`p${i}`) ? row.ids : []));
          expect(covered.sort()).toEqual([...ids].sort());
        });
      }),
      SEED,
    );
  });

  test('are as few as can be: two functions are in one row if every program has both or none', () => {
    fc.assert(
      fc.property(ATTACHES, (sets) => {
        const asked = FUNCTIONS.filter((id) => sets.some((ids) => ids.includes(id)));
        const classes = groupBy(asked, (id) => sets.map((ids) => Number(ids.includes(id))).join());
        const coarsest = [...classes.values()].map((ids) => ids.sort().join()).sort();
        expect(partition(attachAll(sets))).toEqual(coarsest);
      }),
      SEED,
    );
  });

  test('are the same sets in whatever order programs come', () => {
    const shuffled = ATTACHES.chain((sets) => {
      const order = fc.shuffledSubarray(
        sets.map((_, i) => i),
        { minLength: sets.length },
      );
      return fc.tuple(fc.constant(sets), order);
    });
    fc.assert(
      fc.property(shuffled, ([sets, order]) => {
        expect(partition(attachAll(sets, order))).toEqual(partition(attachAll(sets)));
      }),
      SEED,
    );
  });

  test('look as before when a program has come and gone, and are never fewer', () => {
    fc.assert(
      fc.property(ATTACHES, fc.subarray(FUNCTIONS, { minLength: 1 }), (sets, ids) => {
        const before = attachAll(sets);
        const after = detachFromRows(attachToRows(before, 'new', MODEL, ids), 'new');
        expect(observed(after)).toEqual(observed(before));
        expect(after.length).toBeGreaterThanOrEqual(before.length);
      }),
      SEED,
    );
  });

  test('of another class are left alone', () => {
    const rows = attachAll([['a', 'b']]);
    expect(attachToRows(rows, 'new', 'another class', ['c'])).toEqual([
      ...rows,
      { model: 'another class', ids: ['c'], progs: ['new'] },
    ]);
  });
});

describe('a plan', () => {
  const parts = [{ ids: ['a', 'b'] }, { ids: ['c'] }, { ids: ['d'] }];

  test('says of each part what is asked for and what is not, and what is in no part', () => {
    expect(planCuts(parts, ['b', 'c', 'e'])).toEqual({
      cuts: [
        { part: parts[0], common: ['b'], other: ['a'] },
        { part: parts[1], common: ['c'], other: [] },
      ],
      rest: ['e'],
    });
  });

  test('is none when there is one part more than allowed', () => {
    expect(planCuts(parts, ['a', 'c'], 1)).toBeUndefined();
    expect(planCuts(parts, ['a', 'e'], 1)).toBeUndefined();
    expect(planCuts(parts, ['a'], 1)?.cuts.length).toBe(1);
    expect(planCuts(parts, ['d'], 1)?.cuts.length).toBe(1);
  });

  test('cuts a set in two that are all of it', () => {
    fc.assert(
      fc.property(fc.subarray(FUNCTIONS), fc.subarray(FUNCTIONS), (ids, by) => {
        const { common, other } = cut(ids, new Set(by));
        expect([...common, ...other].sort()).toEqual(ids.toSorted());
        expect(common.every((id) => by.includes(id)) && !other.some((id) => by.includes(id))).toBe(true);
      }),
      SEED,
    );
  });
});
