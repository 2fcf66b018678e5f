import { expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { inOneLine } from '../finding/render.ts';
import { onlyGraphUserIsCalledDirectly } from './only-graph-user-is-called-directly.ts';

const register = (n: number): Action => ({ do: 'register_ftrace_graph', gops: `gops#${n}` });
const unregister = (n: number): Action => ({ do: 'unregister_ftrace_graph', gops: `gops#${n}` });

function judged(profile: string, actions: readonly Action[]) {
  const sequence = { profile, functions: [tracedFunction('f1', 1, 'u64 -> u64')], actions };
  const { breach, witnesses } = runSequence(sequence, { laws: [onlyGraphUserIsCalledDirectly] });
  return { at: breach?.at, finding: breach && inOneLine(breach.finding), met: witnesses.size > 0 };
}

const COMES_AND_GOES = [register(1), register(2), unregister(1), register(3), unregister(2), unregister(3)];

test.each(['6.12', '7.2'])('one user of %s is called directly, alone or left alone', (kernel) => {
  expect(judged(kernel, COMES_AND_GOES)).toEqual({ at: undefined, finding: undefined, met: true });
});

test.each(['6.12', '7.2'])('the one that is left alone was not before the fix, %s', (kernel) => {
  expect(judged(`${kernel}, graphDirectModeReturns = false`, COMES_AND_GOES)).toEqual({
    at: 2,
    finding: 'function graph has gops#2: calls call it directly / they walk fgraph_array',
    met: true,
  });
});

test('an fprobe of 7.2 is a user beside those of clients', () => {
  const fprobe = (exit: boolean): Action => ({
    do: 'register_fprobe_ips',
    fprobe: 'fprobe#1',
    ips: ['f1'],
    entry: true,
    exit,
  });
  const off: Action = { do: 'unregister_fprobe', fprobe: 'fprobe#1' };
  for (const exit of [true, false])
    expect(judged('7.2', [register(1), fprobe(exit), off]).at).toBeUndefined();
  expect(judged('7.2, graphDirectModeReturns = false', [register(1), fprobe(true), off]).at).toBe(2);
  expect(judged('7.2, graphDirectModeReturns = false', [register(1), fprobe(false), off]).at).toBeUndefined();
});

test('6.1 has one user at a time', () => {
  expect(judged('6.1', COMES_AND_GOES).met).toBe(false);
});
