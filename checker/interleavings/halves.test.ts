import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Halves } from './halves.ts';
import type { PackedState } from './state.ts';

const number = fc.oneof(fc.nat(3), fc.nat(1000), fc.integer());
const states = fc.integer({ min: 1, max: 6 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    /** In each group the states that are added between two messages. */
    groups: fc.array(fc.array(fc.array(number, { minLength: width, maxLength: width })), { minLength: 1 }),
  }),
);

function halvesOf(halves: Halves, state: PackedState): readonly [number, number] | undefined {
  return halves.find(state) ? [halves.left, halves.right] : undefined;
}

test('a thread that takes all that came has the same halves, knows no others, and reads the same states', () => {
  fc.assert(
    fc.property(states, ({ width, groups }) => {
      const [here, there] = [new Halves(width), new Halves(width)];
      const known = here.nothing();
      for (const group of groups) {
        for (const state of group) {
          here.add(state);
          const added = [here.left, here.right] as const;
          expect(halvesOf(here, state)).toEqual(added);
          expect([undefined, added]).toContainEqual(halvesOf(there, state));
        }
        there.learn(here.since(known));
        for (const state of groups.flat()) {
          const halves = halvesOf(here, state);
          expect(halvesOf(there, state)).toEqual(halves);
          if (halves !== undefined) expect(there.read(...halves)).toEqual(state);
        }
      }
      expect(here.since(known).every((length) => length === 0)).toBe(true);
    }),
    { seed: 1, numRuns: 100 },
  );
});

test('a thread that joins late takes some hundred thousand pairs at once', () => {
  const [here, there] = [new Halves(3), new Halves(3)];
  const many = 200_000;
  for (let i = 0; i < many; i++) here.add([i % 500, (i / 500) | 0, 0]);
  there.learn(here.since(here.nothing()));
  expect(there.find([(many - 1) % 500, ((many - 1) / 500) | 0, 0])).toBe(true);
  expect([there.left, there.right]).toEqual([here.left, here.right]);
});
