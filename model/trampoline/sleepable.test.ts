import { expect, test } from 'vitest';
import { Rig } from '../testing/attach-rig.ts';
import { tracedFunction } from './traced-function.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');

/** 6.1 lets no plain function have one. */
test.each(['6.12', '7.2'])('a sleepable program that runs in a section of RCU warns (%s)', (profile) => {
  const rig = new Rig(profile, [F1]);
  expect(rig.load(1, 'fentry', 'f1', { sleepable: true })).toBe(0);
  expect(rig.link(1)).toBe(0);
  rig.call('f1');
  expect(rig.k.warnings).toEqual([]);
  rig.k.current.rcu++;
  expect(rig.call('f1').who).toEqual(['prog#1', 'f1']);
  expect(rig.k.warnings).toEqual([{ is: 'sleep in an atomic section', prog: 1 }]);
});
