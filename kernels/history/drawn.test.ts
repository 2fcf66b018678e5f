import { expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { isHook } from '../wire/programs.ts';
import { sayable } from './cast-history.ts';
import type { Purpose } from './drawn.ts';
import { KernelHistories } from './drawn.ts';

/** Failures come with the calls that they are drawn for, and misuse is seen as a history is run. */
const LATE = /^(a failing|the second of allocations|misuse)/;

test.each(KERNELS)('what is drawn for %s has players, and can be said', (profile) => {
  const histories = new KernelHistories(profile, 1, 'comparison');
  for (let n = 0; n < 20; n++) {
    const drawn = histories.at(n);
    const { question, leftOut } = sayable(drawn);
    expect(question?.case.functions ?? drawn.functions).toEqual(drawn.functions);
    expect(leftOut.filter((why) => !LATE.test(why))).toEqual([]);
  }
});

/** Those that a seed draws, one of each pair of mechanisms. */
function meetingsOf(seed: number): AttachCase[] {
  const histories = new KernelHistories('6.12', seed, 'comparison');
  return Array.from({ length: 169 }, (_, i) => histories.at(2 * i + 1));
}

const MEETINGS = meetingsOf(1);

test('the meetings of two mechanisms come in another order for another seed, each once', () => {
  const [first = [], second = []] = [MEETINGS, meetingsOf(2)].map((meetings) =>
    meetings.map((meeting) => JSON.stringify(meeting)),
  );
  expect(first).not.toEqual(second);
  expect(first.toSorted()).toEqual(second.toSorted());
  expect(new Set(first).size).toBe(first.length);
});

test('a client that was refused has nothing to take off', () => {
  const patched = MEETINGS.map(({ actions }) => actions).find(
    (actions) => actions[0]?.do === 'ftrace_ops' && actions[0].flags !== 0 && 'addr' in (actions[4] ?? {}),
  );
  expect(patched?.map((action) => action.do)).toEqual([
    'ftrace_ops',
    'ftrace_set_filter_ip',
    'register_ftrace_function',
    'ftrace_set_filter_ip',
    'register_ftrace_direct',
    'unregister_ftrace_function',
    'ftrace_set_filter_ip',
    'register_ftrace_direct',
    'ftrace_ops',
    'ftrace_set_filter_ip',
    'register_ftrace_function',
    'unregister_ftrace_direct',
  ]);
});

test('the contract is judged without hooks of BPF LSM, which a kernel may be built without', () => {
  const hooks = (purpose: Purpose) => {
    const histories = new KernelHistories('6.12', 3, purpose);
    const drawn = Array.from({ length: 40 }, (_, i) => histories.at(2 * i)).flatMap(
      ({ functions }) => functions,
    );
    return drawn.filter(isHook).length;
  };
  expect(hooks('comparison')).toBeGreaterThan(0);
  expect(hooks('contract')).toBe(0);
});

test('what is to fail is of the kind that is wanted', () => {
  const kinds = (purpose: Purpose) => {
    const histories = new KernelHistories('6.12', 5, purpose);
    const drawn = Array.from({ length: 30 }, (_, i) => histories.at(2 * i)).flatMap(({ actions }) => actions);
    return [...new Set(drawn.flatMap((action) => (action.do === 'fail' ? [action.fault.what] : [])))].sort();
  };
  expect(kinds('comparison')).toEqual(['allocation', 'poke']);
  expect(kinds('contract')).toEqual(['allocation']);
});
