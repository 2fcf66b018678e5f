import { describe, expect, it } from 'vitest';
import { item } from '../../../model/core/present.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf } from '../../../properties/observed/sample-call.ts';
import { link, load } from '../../../properties/planted/sequences/actions.ts';
import type { AttachCase } from '../attach-case.ts';
import { stepsOf } from '../steps-of.ts';
import { limitOf } from './limits.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];
const KERNELS = ['6.1', '6.12', '7.2'];

/** The lists of functions of a search that begin at a limit. */
const ALL = Array.from({ length: 20 }, (_, n) => n).filter((n) => begun(n, '6.12') !== undefined);
/** Two lists of twenty have kprobes with jumps. */
const JUMPS = ALL.filter((n) => n % 10 === 6);
const LISTS = ALL.filter((n) => !JUMPS.includes(n));

function begun(n: number, profile: string) {
  return limitOf(n, { profile, functions: FUNCTIONS });
}

/** What a kernel answers to the first actions of a list, and to some more. */
function answers(n: number, profile: string, ...more: AttachCase['actions'][number][]) {
  const { first, more: _, ...start } = begun(n, profile)!;
  return stepsOf({ ...start, actions: [...first, ...more] });
}

describe('sequences begin at each limit in turn', () => {
  it('on four lists of twenty', () => {
    expect(LISTS).toHaveLength(4);
  });

  it.each(KERNELS)('%s: a kprobe in a body gets a jump on two lists of twenty', (profile) => {
    expect(JUMPS).toHaveLength(2);
    const come = { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', offset: 10, post: false } as const;
    const steps = answers(item(JUMPS, 0), profile, come, { do: 'settle' });
    expect(steps.at(-1)!.after.text.probed['f1+0xa']).toMatch(/^e9/);
  });

  it.each(KERNELS)('%s: the shadow stack is full in the third of nested calls', (profile) => {
    const { functions } = begun(item(LISTS, 0), profile)!;
    const rec = functions.find(({ nesting }) => nesting === 'rec')!;
    const overruns = [1, 2].map(
      (depth) => answers(item(LISTS, 0), profile, callOf(rec, depth)).at(-1)!.after.fgraph.overrun,
    );
    expect(overruns).toEqual([0, 1]);
  });

  it.each(['6.12', '7.2'])('%s: two frames would take the last word in its second turn', (profile) => {
    const second = LISTS[0]! + 20;
    const { functions } = begun(second, profile)!;
    const rec = functions.find(({ nesting }) => nesting === 'rec')!;
    const overruns = [0, 1].map(
      (depth) => answers(second, profile, callOf(rec, depth)).at(-1)!.after.fgraph.overrun,
    );
    expect(overruns).toEqual([0, 1]);
  });

  it('a kernel with a replaced behaviour keeps its own shadow stack', () => {
    const profile = '6.12, shadowStackWords = 60';
    expect(begun(item(LISTS, 0), profile)!.profile).toBe(profile);
  });

  it.each(['6.12', '7.2'])('%s: a single index of function graph is free', (profile) => {
    const registers = ['gops#1', 'gops#17'].map((gops) => ({ do: 'register_ftrace_graph', gops }) as const);
    const steps = answers(item(LISTS, 1), profile, ...registers);
    expect(steps.slice(-3).map(({ outcome }) => outcome.errno)).toEqual([0, 0, 'ENOSPC']);
  });

  it.each(KERNELS)('%s: two ops have different notrace hashes', (profile) => {
    const steps = answers(item(LISTS, 2), profile);
    expect(steps.every(({ outcome }) => outcome.errno === 0)).toBe(true);
    const { records } = steps.at(-1)!.after.ftrace;
    expect([records['f1']!.count > 0, records['f2']!.count > 0]).toEqual([true, true]);
  });

  it.each(KERNELS)('%s: a trampoline takes three programs', (profile) => {
    const programs = [1, 2, 3, 4].flatMap((id) => [load(id), link(id)]);
    const steps = answers(item(LISTS, 3), profile, ...programs);
    expect(
      steps.flatMap(({ action, outcome }) => (action.do === 'BPF_LINK_CREATE' ? [outcome.errno] : [])),
    ).toEqual([0, 0, 0, 'E2BIG']);
  });
});
