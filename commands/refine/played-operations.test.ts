import { expect, test } from 'vitest';
import { PlayedOperations } from './played-operations.ts';

test('an operation counts once, whether it was played here or elsewhere', () => {
  const [one, other] = [new PlayedOperations(), new PlayedOperations()];
  for (const operation of ['a', 'b', 'a']) one.add(operation);
  expect(one.size).toBe(2);
  const known = one.takeNew();
  expect(known).toHaveLength(2);
  other.add('b');
  other.add('c');
  other.addKnown(known);
  expect(other.size).toBe(3);
  expect(other.takeNew()).toHaveLength(2);
  expect(other.takeNew()).toEqual([]);
});
