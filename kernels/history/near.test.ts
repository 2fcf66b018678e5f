import { expect, test } from 'vitest';
import { parseAction } from '../../model/action-text.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { sayable } from './cast-history.ts';
import { NearHistories } from './near.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64')];
const SPELLING = { profile: '6.12', functions: FUNCTIONS };

function caseOf(...calls: readonly string[]) {
  return { ...SPELLING, actions: calls.map((text) => parseAction(text, SPELLING)) };
}

const NEAR = [
  caseOf('register_kprobe(kprobe#1, f1)', 'unregister_kprobe(kprobe#1)'),
  caseOf('register_ftrace_graph(gops#1)', 'unregister_ftrace_graph(gops#1)'),
];

test('histories come near each of some sequences in turn, the same ones with the same seed', () => {
  const histories = new NearHistories(NEAR, 1, 'comparison');
  const again = new NearHistories(NEAR, 1, 'comparison');
  const drawn = Array.from({ length: 20 }, (_, n) => histories.at(n));
  expect(again.at(7)).toEqual(drawn[7]);
  const others = new NearHistories(NEAR, 2, 'comparison');
  expect(Array.from({ length: 20 }, (_, n) => others.at(n))).not.toEqual(drawn);
  const often = (call: string) =>
    drawn.filter(({ actions }) => actions.some((action) => action.do === call)).length;
  expect(often('register_kprobe')).toBeGreaterThanOrEqual(8);
  expect(often('register_ftrace_graph')).toBeGreaterThanOrEqual(8);
});

test('they can be said, and those for the contract have no poke that fails', () => {
  const fails = (purpose: 'comparison' | 'contract') => {
    const histories = new NearHistories(NEAR, 3, purpose);
    return Array.from({ length: 60 }, (_, n) => histories.at(n)).flatMap((history) => {
      expect(sayable(history).question).toBeDefined();
      return history.actions.flatMap((action) => (action.do === 'fail' ? [action.fault.what] : []));
    });
  };
  expect(new Set(fails('comparison'))).toEqual(new Set(['allocation', 'poke']));
  expect(new Set(fails('contract'))).toEqual(new Set(['allocation']));
});
