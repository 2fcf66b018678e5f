import { expect, test } from 'vitest';
import { PlayedOperations } from './played-operations.ts';

test('an operation counts once, whether it was played here or elsewhere', () => {
  const [first, other] = [new PlayedOperations(), new PlayedOperations()];
  for (const operation of ['a', 'b', 'a']) first.add(operation);
  expect(first.size).toBe(2);
  const known = first.takeNew();
  expect(known).toHaveLength(2);
  other.add('b');
  other.add('c');
  other.addKnown(known);
  expect(other.size).toBe(3);
  expect(other.takeNew()).toHaveLength(2);
  expect(other.takeNew()).toEqual([]);
});
