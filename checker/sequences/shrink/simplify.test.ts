import { expect, test } from 'vitest';
import { filterOn } from '../../../model/client/ftrace-set-filter-ip.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';
import { simplify } from './simplify.ts';

const FIRST: AttachCase = {
  profile: '6.12',
  functions: ['f1', 'f2', 'f3'].map((name, i) => tracedFunction(name, i + 1, 'u64 -> u64')),
  actions: [
    filterOn('ops#2', 'f3'),
    filterOn('ops#1', 'f2'),
    { do: 'register_ftrace_function', ops: 'ops#2' },
  ],
};

test('a sequence ends with its objects named in order', () => {
  const { actions } = simplify(FIRST, (c) =>
    c.actions.some(({ do: name }) => name === 'ftrace_set_filter_ip'),
  );
  expect(actions).toEqual([filterOn('ops#1', 'f1')]);
});

test('a sequence that fails by its names alone keeps them', () => {
  const fails = ({ actions }: AttachCase) => actions.some((action) => 'ip' in action && action.ip === 'f3');
  const small = simplify(FIRST, fails);
  expect(fails(small)).toBe(true);
  expect(small.actions).toEqual([filterOn('ops#2', 'f3')]);
});
