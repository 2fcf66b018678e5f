import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairs, withSleepers } from './family.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { layoutOf, treeOf } from './state.ts';
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
      /** A state that is read before: its numbers are reused. */
      read: fc.option(fc.nat(), { nil: undefined }),
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
      for (const { state, parent, move, read } of steps) {
        const from = rows.rows.length === 0 ? -1 : parent % rows.rows.length;
        if (read !== undefined && from >= 0) store.get(read % rows.rows.length);
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
    const store = new Store(space.layout.width, treeOf(space.layout));
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

test('each number of a state is in its tree once, whatever actors there are', () => {
  const actors = fc.record({ callers: fc.nat(8), clients: fc.nat(8) });
  fc.assert(
    fc.property(actors, ({ callers, clients }) => {
      const { scenario } = pairs('6.12', 2, 1)[0]!;
      const [caller, client] = [scenario.callers[0]!, scenario.clients[0]!];
      const layout = layoutOf({
        ...scenario,
        callers: Array.from({ length: callers }, () => caller),
        clients: Array.from({ length: clients }, () => client),
      });
      const tree = treeOf(layout);
      const root = layout.width + tree.length / 2 - 1;
      expect([...tree, root].sort((a, b) => a - b)).toEqual(Array.from({ length: root + 1 }, (_, i) => i));
      // A pair is made of what is there before it.
      for (let i = 0; i < tree.length; i++) expect(tree[i]!).toBeLessThan(layout.width + (i >> 1));
    }),
    { seed: 1, numRuns: 50 },
  );
});

test('in a tree of what belongs together the states of a scenario take little more than half of the bytes', () => {
  const { scenario } = pairs(withSleepers('6.12'), 2, 1).find(({ name }) => name === 'attach f1, detach f2')!;
  const space = new Space(scenario);
  const [store, other] = [new Store(space.layout.width, treeOf(space.layout)), new Store(space.layout.width)];
  store.add(space.initial(), -1, 0);
  for (let i = 0; i < store.size && store.size < 40_000; i++)
    space.visit(store.get(i), (move, next) => {
      if (next !== undefined) store.add(next, i, move);
    });
  for (let i = 0; i < store.size; i++) other.add(store.get(i), store.parentOf(i), store.moveTo(i));
  expect(other.size).toBe(store.size);
  expect(store.bytes / other.bytes).toBeLessThan(0.66);
});
