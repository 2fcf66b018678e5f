import { expect, test } from 'vitest';
import type { Wait } from '../../properties/law/wait.ts';
import { waitText } from '../../properties/law/wait-words.ts';
import { circleOf } from './waits-for.ts';

function wait(who: string, ...holders: string[]): Wait {
  return { who, is: 'grace period', flavour: 'rcu', holders };
}

test('the shortest cycle of waits is given', () => {
  const waits = [
    wait('client#1', 'client#2'),
    wait('client#2', 'client#3'),
    wait('client#3', 'client#1', 'client#4'),
    wait('client#4', 'client#3'),
  ];
  expect(circleOf(waits).map(waitText)).toEqual([
    'client#3 waits for a grace period of rcu, which client#1, client#4 block',
    'client#4 waits for a grace period of rcu, which client#3 blocks',
  ]);
});

test('an actor that waits for its own lock is a cycle of one', () => {
  const own: Wait = { who: 'client#1', is: 'lock', lock: 'direct_mutex', holder: 'client#1' };
  expect(circleOf([wait('client#2', 'client#1'), own])).toEqual([own]);
});

test('an actor that waits for a runnable one is in no cycle', () => {
  expect(circleOf([wait('client#1', 'client#2'), wait('client#2', 'task#1')])).toEqual([]);
});
