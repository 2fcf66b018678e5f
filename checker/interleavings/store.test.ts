import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PackedState } from './state.ts';
import { Store } from './store.ts';

/** Few different states, so that many come again, and numbers of any size. */
const states = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    added: fc.array(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer()), {
        minLength: width,
        maxLength: width,
      }),
      { minLength: 1, maxLength: 300 },
    ),
  }),
);

test('a store keeps the states that a map keeps, each once, in the order of their coming', () => {
  fc.assert(
    fc.property(states, ({ width, added }) => {
      const store = new Store(width);
      const known = new Map<string, PackedState>();
      for (const state of added) {
        const key = state.join();
        expect(store.add(state, -1, 0)).toBe(!known.has(key));
        known.set(key, state);
      }
      expect(store.size).toBe(known.size);
      expect(Array.from({ length: store.size }, (_, i) => store.get(i))).toEqual([...known.values()]);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('a store that has grown many times finds every state again', () => {
  const store = new Store(2);
  const many = 50_000;
  const stateOf = (i: number): PackedState => [i % 250, (i / 250) | 0];
  for (let i = 0; i < many; i++) store.add(stateOf(i), i - 1, i & 7);
  const again = Array.from({ length: many }, (_, i) => store.add(stateOf(i), 0, 0));
  expect(again.includes(true)).toBe(false);
  expect(store.size).toBe(many);
  expect(store.get(40_123)).toEqual(stateOf(40_123));
});

test('the path to a state is made of the moves that it and those before it were found by', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(1000)), { maxLength: 60 }), (tree) => {
      const store = new Store(1);
      store.add([0], -1, 0);
      const paths: number[][] = [[]];
      tree.forEach(([parent, move], i) => {
        const from = parent % paths.length;
        store.add([i + 1], from, move);
        paths.push([...paths[from]!, move]);
      });
      expect(paths.map((_, i) => store.pathTo(i))).toEqual(paths);
    }),
    { seed: 1, numRuns: 200 },
  );
});

/** Rows of few worlds, callers, places and clients, each once; a parent has two. */
function productOf(many: number): Store {
  const store = new Store(4);
  for (let i = 0; i < many; i++)
    store.add([i % 1009, ((i / 1009) | 0) % 97, (i / (1009 * 97)) | 0, i % 7], (i - 1) >> 1, i % 5);
  return store;
}

test('two million states take at most sixteen bytes each, and a small store no more than six kilobytes', () => {
  const many = 2_000_000;
  const large = productOf(many);
  expect(large.size).toBe(many);
  expect(large.bytes / many).toBeLessThan(16);
  expect(large.bytes / many).toBeGreaterThan(4);
  expect(productOf(10).bytes).toBeLessThan(6 * 1024);
});
