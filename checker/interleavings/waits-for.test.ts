import { expect, test } from 'vitest';
import type { Wait } from './waits-for.ts';
import { circleOf, spellWait } from './waits-for.ts';

function wait(who: string, what: string, ...holders: string[]): Wait {
  return { who, what, holders, how: `which ${holders.join(', ')} holds` };
}

test('of those who wait for one another the shortest circle is given', () => {
  const waits = [
    wait('client#1', 'a', 'client#2'),
    wait('client#2', 'b', 'client#3'),
    wait('client#3', 'c', 'client#1', 'client#4'),
    wait('client#4', 'd', 'client#3'),
  ];
  expect(circleOf(waits).map(spellWait)).toEqual([
    'client#3 waits for c, which client#1, client#4 holds',
    'client#4 waits for d, which client#3 holds',
  ]);
});

test('who waits for what he holds himself is a circle of one', () => {
  const own = wait('client#1', 'direct_mutex', 'client#1');
  expect(circleOf([wait('client#2', 'a', 'client#1'), own])).toEqual([own]);
});

test('who waits for somebody that can go on is in no circle', () => {
  expect(circleOf([wait('client#1', 'a', 'client#2'), wait('client#2', 'a grace period', 'task#1')])).toEqual(
    [],
  );
});
