import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairs, withSleepers } from './family.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { Store } from './store.ts';

/** States in rows, each once, with its parent and move: the plain way. */
class Rows {
  readonly numbers = new Map<string, number>();
  readonly rows: PackedState[] = [];
  readonly parents: number[] = [];
  readonly moves: number[] = [];

  add(state: PackedState, parent: number, move: number): boolean {
    const key = state.join();
    if (this.numbers.has(key)) return false;
    this.numbers.set(key, this.rows.length);
    this.rows.push([...state]);
    this.parents.push(parent);
    this.moves.push(move);
    return true;
  }
}

function requireSame(store: Store, rows: Rows): void {
  const own = Array.from(rows.rows, (_, i) => i);
  expect(store.size).toBe(rows.rows.length);
  expect(own.map((i) => store.get(i))).toEqual(rows.rows);
  expect(own.map((i) => store.parentOf(i))).toEqual(rows.parents);
  expect(own.map((i) => store.moveTo(i))).toEqual(rows.moves);
  expect(rows.rows.map((state) => store.numberOf(state))).toEqual(own);
  const saved = store.saved();
  expect([...saved.states]).toEqual(rows.rows.flat());
  expect([[...saved.parents], [...saved.moves]]).toEqual([rows.parents, rows.moves]);
}

const number = fc.oneof(fc.nat(3), fc.nat(100_000), fc.integer());
const added = fc.integer({ min: 1, max: 7 }).chain((width) =>
  fc.array(
    fc.record({
      state: fc.array(number, { minLength: width, maxLength: width }),
      parent: fc.nat(),
      move: fc.oneof(fc.nat(9), fc.nat(2 ** 31 - 1)),
    }),
    { minLength: 1, maxLength: 600 },
  ),
);

test('random rows have the same numbers, parents and moves as in a map of rows, also when restored', () => {
  fc.assert(
    fc.property(added, (steps) => {
      const width = steps[0]!.state.length;
      const store = new Store(width);
      const rows = new Rows();
      for (const { state, parent, move } of steps) {
        const from = rows.rows.length === 0 ? -1 : parent % rows.rows.length;
        expect(store.add(state, from, move)).toBe(rows.add(state, from, move));
      }
      requireSame(store, rows);
      const again = new Store(width);
      again.restore(store.saved());
      requireSame(again, rows);
    }),
    { seed: 1, numRuns: 100 },
  );
});

const EXPLORED = 4000;

test.each(['attach f1, detach f1', 'attach f1, live patch on f1'])(
  'the first states of %s are those of a map of rows',
  (wanted) => {
    const { scenario } = pairs(withSleepers('6.12'), 2, 2).find(({ name }) => name === wanted)!;
    const space = new Space(scenario);
    const store = new Store(space.layout.width);
    const rows = new Rows();
    store.add(space.initial(), -1, 0);
    rows.add(space.initial(), -1, 0);
    for (let i = 0; i < store.size && store.size < EXPLORED; i++)
      space.visit(store.get(i), (move, next) => {
        if (next !== undefined) expect(store.add(next, i, move)).toBe(rows.add(next, i, move));
      });
    expect(store.size).toBeGreaterThanOrEqual(EXPLORED);
    requireSame(store, rows);
  },
);
