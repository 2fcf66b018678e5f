import { expect, test } from 'vitest';
import { TASK_LAWS } from '../../../properties/task-laws.ts';
import { pairs } from '../family.ts';
import { Space } from '../space.ts';
import { treeOf } from '../state.ts';
import { Store } from '../store.ts';
import { ChunkVisits } from './chunk-visits.ts';

test('a helper reports which instructions it has executed first, and leaves no mark of it', () => {
  const { scenario } = pairs('7.2', 1, 1).find(({ name }) => name === 'register f1, register f1')!;
  const space = new Space(scenario);
  const { executed } = space.program;
  const store = new Store(space.layout.width, treeOf(space.layout));
  store.add(space.initial(), -1, 0);
  const visits = new ChunkVisits(new Space(scenario), TASK_LAWS);
  const { worlds, callers, clients, works } = space;
  const numbered = {
    ...worlds.saved(),
    callers: callers.values,
    clients: clients.values,
    works: works.values,
  };
  executed.fill(0);
  const { halves } = store;
  const { parts } = visits.log({
    states: store.halvesOf(0, 1),
    halves: halves.since(halves.nothing()),
    numbered,
  });
  expect(executed.includes(1)).toBe(false);
  const first = parts.flatMap((part) => part.executed);
  space.visit(space.initial(), () => {});
  expect(first.length).toBeGreaterThan(0);
  expect(first).toEqual([...executed.keys()].filter((pc) => executed[pc] === 1));
});
