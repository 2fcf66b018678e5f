import { describe, expect, it } from 'vitest';
import { item } from '../../../model/core/present.ts';
import { DISPATCHER_FUNC } from '../../../model/dispatcher/dispatcher.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { link } from '../../../properties/planted/sequences/actions.ts';
import { stepsOf } from '../steps-of.ts';
import { calledByTasks } from './devices.ts';
import { meetingOf } from './meetings.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64')];
const KERNELS = ['6.1', '6.12', '7.2'];

/** The lists of functions of a search that begin with clients of one mechanism. */
const LISTS = Array.from({ length: 40 }, (_, n) => n).filter((n) => begun(n, '6.12') !== undefined);

function begun(n: number, profile: string) {
  return meetingOf(n, { profile, functions: FUNCTIONS });
}

/** What a kernel answers to the first actions of a list, and to some more. */
function steps(n: number, profile: string, ...more: Parameters<typeof stepsOf>[0]['actions']) {
  const { first, more: _, ...start } = begun(n, profile)!;
  return stepsOf({ ...start, actions: [...first, ...more] });
}

describe('sequences begin with clients of each mechanism in turn', () => {
  it('on four lists of forty', () => {
    expect(LISTS).toEqual([8, 18, 28, 38]);
  });

  it.each(KERNELS)('%s: devices, and no task calls the function of their dispatcher', (profile) => {
    const { functions } = begun(item(LISTS, 0), profile)!;
    expect(functions.map(({ name }) => name)).toEqual(['eth0', 'eth1', DISPATCHER_FUNC]);
    expect(calledByTasks(functions).map(({ name }) => name)).toEqual(['eth0', 'eth1']);
  });

  it.each(['6.12', '7.2'])('%s: two functions have fprobes of both kinds', (profile) => {
    const all = steps(item(LISTS, 1), profile);
    expect(all.map(({ outcome }) => outcome.errno)).toEqual([0, 0, 0, 0]);
    const { records } = all.at(-1)!.after.ftrace;
    expect([records['f1']!.count, records['g1']!.count]).toEqual([2, 2]);
  });

  it.each(KERNELS)('%s: two programs of a cgroup share a shim', (profile) => {
    const all = steps(item(LISTS, 2), profile, link(1), link(2));
    expect(all.map(({ outcome }) => outcome.errno)).toEqual([0, 0, 0, 0]);
  });

  it.each(['6.12', '7.2'])('%s: two users of function graph leave out a third function', (profile) => {
    const registers = ['gops#1', 'gops#2'].map((gops) => ({ do: 'register_ftrace_graph', gops }) as const);
    const { records } = steps(item(LISTS, 3), profile, ...registers).at(-1)!.after.ftrace;
    expect([records['f1']!.count, records['g1']!.count, records['g2']!.count]).toEqual([1, 1, 0]);
  });

  it('a kernel without such clients has just booted', () => {
    expect(begun(item(LISTS, 1), '6.1')).toEqual({
      profile: '6.1',
      functions: FUNCTIONS,
      first: [],
      more: [],
    });
  });
});
