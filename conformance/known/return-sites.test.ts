import { describe, expect, it } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { allSites } from '../../counterexamples/sequences/refusals.ts';
import type { Action } from '../../model/client/all.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { moduleFunction, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { attached } from '../../properties/planted/sequences/actions.ts';
import { RETURN_SITES } from './return-sites.ts';

describe('the table of return sites', () => {
  it('has every return site of the modelled functions, once', () => {
    const listed = RETURN_SITES.map(({ site }) => site);
    expect(listed.toSorted()).toEqual([...new Set(allSites(KERNEL_PROGRAM))].sort());
  });

  it('says for each where it is reached, or why it never is', () => {
    const open = RETURN_SITES.filter(
      ({ reached, seldom = [], never }) => reached.length + seldom.length > 0 === (never !== undefined),
    );
    expect(open).toEqual([]);
  });
});

describe('a return site too rare to be drawn', () => {
  it('is reached by a change of one of two sites that share a descriptor, without memory for a second', () => {
    const actions: readonly Action[] = [
      { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' },
      { do: 'register_ftrace_direct(ip)', ip: 'f2', addr: 'my_tramp1' },
      { do: 'fail', fault: { what: 'allocation', where: 'modify_ftrace_direct(ip)' } },
      { do: 'modify_ftrace_direct(ip)', ip: 'f1', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' },
    ];
    const functions = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];
    const { outcomes } = runSequence({ profile: '6.1', functions, actions }, { laws: [] });
    expect(outcomes.map(({ errno }) => errno)).toEqual([0, 0, 0, 'ENOMEM']);
  });

  it('is reached by a link to a named function of a program that was loaded for one', () => {
    const actions: readonly Action[] = [
      ...attached('fentry').slice(0, 1),
      { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1'] },
    ];
    const functions = [tracedFunction('f1', 1, 'u64 -> u64')];
    const { outcomes } = runSequence({ profile: '6.12', functions, actions }, { laws: [] });
    expect(outcomes.map(({ errno }) => errno)).toEqual([0, 'EINVAL']);
  });

  it('is reached by a second link of a program whose target was unloaded after the first', () => {
    const actions: readonly Action[] = [
      ...attached('fentry'),
      { do: 'close(link)', link: 'link#1' },
      { do: 'delete_module', module: 'm1' },
      { do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1 },
    ];
    const functions = [moduleFunction('f1', 1, 'u64 -> u64', 'm1')];
    const { outcomes } = runSequence({ profile: '6.1', functions, actions }, { laws: [] });
    expect(outcomes.map(({ errno }) => errno)).toEqual([0, 0, 0, 0, 'ENOENT']);
  });
});
