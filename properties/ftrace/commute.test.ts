import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf } from '../observed/sample-call.ts';
import {
  direct,
  failing,
  filter,
  fprobe,
  graph,
  kprobe,
  kretprobe,
  link,
  load,
} from '../planted/sequences/actions.ts';
import { independentOperationsCommute } from './independent-operations-commute.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 x2 -> u64');

/** Whether the last two of these actions were tried in the other order as well. */
function isTried(actions: readonly Action[], profile = '6.12'): boolean {
  const tried = (list: readonly Action[]) =>
    runSequence({ profile, functions: [F1, F2], actions: list }, { laws: [independentOperationsCommute] });
  const { breach, witnesses, outcomes } = tried(actions);
  expect(outcomes.map(({ errno }) => errno)).toEqual(actions.map(() => 0));
  expect(breach).toBeUndefined();
  expect(tried(actions.slice(0, -1)).witnesses.size).toBe(0);
  return witnesses.size > 0;
}

describe('two neighbours are tried in both orders', () => {
  test.each<[string, readonly Action[]]>([
    ['probes of two kinds on two functions', [kprobe(1), fprobe(1, true, false, 'f2')]],
    ['a kretprobe, and a call of another function', [kretprobe(1), callOf(F2, 0)]],
    [
      'programs on two functions, whose images are made in another order',
      [load(1, 'fentry'), { ...load(2, 'fexit'), target: 'f2' }, link(1, 1), link(2, 2)],
    ],
    [
      'direct calls of two functions',
      [filter('direct#1'), filter('direct#2', 'f2'), direct(1), direct(2, 2)],
    ],
  ])('%s', (_, actions) => {
    expect(isTried(actions)).toBe(true);
  });
});

describe('two neighbours are not tried', () => {
  test.each<[string, readonly Action[]]>([
    ['on one function', [kprobe(1), fprobe(1)]],
    ['when one of them has all functions', [graph(1), kprobe(1)]],
    ['with one address', [filter('direct#1'), filter('direct#2', 'f2'), direct(1), direct(2, 1)]],
    ['when one is a call of what the other traces', [kprobe(1), callOf(F1, 0)]],
    ['when one concerns all clients', [kprobe(1), { do: 'kernel.ftrace_enabled', value: false }]],
    [
      'when their ops lacked memory for a trampoline, which it gets if it is registered again',
      [
        failing('allocation', 'arch_ftrace_update_trampoline'),
        kprobe(1),
        kprobe(2, false, 'f2'),
        { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
      ],
    ],
    [
      'when both take an index of function graph',
      [filter('gops#1.ops'), filter('gops#2.ops', 'f2'), graph(1), graph(2)],
    ],
  ])('%s', (_, actions) => {
    expect(isTried(actions)).toBe(false);
  });
});

describe('with background work of an earlier operation before both', () => {
  const RELEASED: readonly Action[] = [load(1, 'fentry'), { do: 'close(prog)', prog: 1 }];
  const judged = (profile: string, actions: readonly Action[]) => {
    const c = { profile, functions: [F1, F2], actions };
    const run = runSequence(c, { laws: [independentOperationsCommute] });
    return { ...run, errnos: run.outcomes.map(({ errno }) => errno) };
  };

  test('two that differ only by what it has freed are not tried', () => {
    const { program, ...rest } = load(2, 'fentry');
    const actions: readonly Action[] = [
      { ...rest, program: { ...program, multi: true }, target: '' },
      ...RELEASED,
      kprobe(1, false, 'f2'),
      { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 2, targets: ['f1'] },
      { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
    ];
    const { breach, errnos } = judged('6.12, multiLinks = multi ids', actions);
    expect(errnos).toEqual([0, 0, 0, 0, 'EINVAL', 0]);
    expect(breach).toBeUndefined();
  });

  test('two that differ without it as well break the law', () => {
    const actions: readonly Action[] = [
      graph(1),
      kprobe(1),
      ...RELEASED,
      kprobe(2, false, 'f2'),
      { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
    ];
    const { breach } = judged('6.12', actions);
    expect(breach?.finding.is).toBe('state-depends-on-the-order');
    expect(breach?.moment.previous?.before.deferred).not.toEqual([]);
  });
});
