import { expect, test } from 'vitest';
import { Callers } from './callers.ts';
import { pairs } from './family.ts';
import { interrupted } from './family-interrupted.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

test.each([
  'register f1, register f2',
  'kretprobe off f1 in an interrupted call',
  'fprobe off f1 in an interrupted call',
])('callers have equal numbers exactly when they are equal: %s', (name) => {
  const { scenario } = [...pairs('6.12', 1, 1), ...interrupted('6.12', 1)].find(
    (item) => item.name === name,
  )!;
  const space = new Space(scenario);
  explore(space, { laws: [] });
  const { callers } = space;
  expect(callers.size).toBeGreaterThan(5);
  expect(new Set(callers.values.map((caller) => JSON.stringify(caller))).size).toBe(callers.size);
  const others = new Callers();
  for (const [number, caller] of callers.values.entries()) {
    // Most were numbered by their calls and records, after a segment: an equal one is found by itself.
    expect(callers.numberOf(structuredClone(caller))).toBe(number);
    expect(others.numberOf(structuredClone(caller))).toBe(number);
  }
  expect(others.size).toBe(callers.size);
});
