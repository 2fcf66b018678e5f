import { describe, expect, test } from 'vitest';
import { parseAction } from '../action-text.ts';
import { profileNamed } from '../core/profile.ts';
import { apply } from '../step.ts';
import { ask } from '../testing/asked.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';

const patch = (n: number) =>
  `ops#${n} = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#${n}, f1); register_ftrace_function(ops#${n})`;

describe.each(['6.1', '6.12', '7.2'])('which ops may set where a function continues, %s', (profile) => {
  test('is one on each function', () => {
    const { answers } = ask(profile, `${patch(1)}; ${patch(2)}`);
    expect(answers.filter((answer) => answer !== 0)).toEqual(['EBUSY']);
  });

  test('makes room for the next when it leaves', () => {
    const { answers } = ask(profile, `${patch(1)}; unregister_ftrace_function(ops#1); ${patch(2)}`);
    expect(answers.at(-1)).toBe(0);
  });

  test('lives with BPF programs: their image calls the replacement', () => {
    const { rig, answers } = ask(
      profile,
      `prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); ${patch(1)}`,
    );
    expect(answers.every((answer) => answer === 0)).toBe(true);
    expect(rig.call('f1').who).toEqual(['ops#1', 'replacement', 'prog#1']);
  });
});

describe.each(['6.1', '6.12', '7.2'])('a live patch without a filter, %s', (profile) => {
  const OPS = 'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)';
  const functions = [tracedFunction('f1', 1, 'u64 -> u64')];
  const calls = ['register_ftrace_function(ops#1)', 'unregister_ftrace_function(ops#1)'];
  /** How registering and unregistering end after other calls. */
  const endsAfter = (before: string) =>
    calls.map((call) => apply(ask(profile, before).rig.k, parseAction(call, { profile, functions })));
  const crashes = (pointer: string) =>
    calls.map(() =>
      expect.objectContaining({ died: { is: 'ops without filter hash', ops: 'ops#1', pointer } }),
    );

  test('crashes in cleared memory: func_hash is NULL', () => {
    expect(endsAfter(OPS)).toEqual(crashes('func_hash'));
  });

  test('crashes after a filter that could not be set: filter_hash is NULL', () => {
    expect(endsAfter(`${OPS}; ftrace_set_filter_ip(ops#1, no_such_function)`)).toEqual(
      crashes('filter_hash'),
    );
  });

  test('is refused after its last function was removed, which leaves EMPTY_HASH', () => {
    const removed = `${OPS}; ftrace_set_filter_ip(ops#1, f1); ftrace_set_filter_ip(ops#1, f1, 1, 0)`;
    const answers = endsAfter(removed).map(({ errno, died }) => [errno, died]);
    expect(answers).toEqual([
      ['EINVAL', undefined],
      ['EBUSY', undefined],
    ]);
  });

  test('crashes after ftrace_free_filter(), unless that leaves EMPTY_HASH', () => {
    const freed = endsAfter(`${OPS}; ftrace_free_filter(ops#1)`);
    if (profileNamed(profile).filterReset)
      expect(freed.map(({ errno }) => errno)).toEqual(['EINVAL', 'EBUSY']);
    else expect(freed).toEqual(crashes('filter_hash'));
  });

  test('crashes again in memory that is taken for a new ops', () => {
    expect(endsAfter(`${OPS}; ftrace_set_filter_ip(ops#1, f1); ${OPS}`)).toEqual(crashes('func_hash'));
  });
});
