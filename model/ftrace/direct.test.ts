import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const REGISTERED = 'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1)';

/** The answers to what follows a direct call on f1. */
function afterwards(profile: string, calls: string): readonly (string | number)[] {
  return ask(profile, `${REGISTERED}; ${calls}`).answers.slice(2);
}

describe.each(['6.1', '6.12', '7.2'])('a direct call, %s', (profile) => {
  test('is called from the site of its function, and from no other', () => {
    const { rig, answers } = ask(profile, REGISTERED);
    expect(answers).toEqual([0, 0]);
    expect([rig.site('f1'), rig.site('f2')]).toEqual(['call my_tramp1', 'nop5']);
    expect(rig.k.ftrace.directFunctions).toEqual({ f1: 'my_tramp1' });
  });

  test('without a filter is refused', () => {
    expect(ask(profile, 'register_ftrace_direct(direct#1, my_tramp1)').answers).toEqual(['EINVAL']);
  });

  test('a second one on the site is refused with EBUSY, and of the same ops with EINVAL', () => {
    const second = 'ftrace_set_filter_ip(direct#2, f1); register_ftrace_direct(direct#2, my_tramp2)';
    expect(afterwards(profile, second)).toEqual([0, 'EBUSY']);
    expect(afterwards(profile, 'register_ftrace_direct(direct#1, my_tramp2)')).toEqual(['EINVAL']);
  });

  test('beside a live patch is refused, in either order', () => {
    const patch =
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';
    expect(afterwards(profile, patch).at(-1)).toBe('EBUSY');
    expect(ask(profile, `${patch}; ${REGISTERED}`).answers.at(-1)).toBe('EBUSY');
  });

  test('gets another address by modify, which is refused where none is registered', () => {
    const { rig } = ask(profile, `${REGISTERED}; modify_ftrace_direct(direct#1, my_tramp2)`);
    expect(rig.site('f1')).toBe('call my_tramp2');
    expect(ask(profile, 'modify_ftrace_direct(direct#1, my_tramp2)').answers).toEqual(['EINVAL']);
  });

  test('leaves the site as it was, and is not unregistered twice', () => {
    const gone = 'unregister_ftrace_direct(direct#1, my_tramp1)';
    const { rig, answers } = ask(profile, `${REGISTERED}; ${gone}; ${gone}`);
    expect(answers.slice(2)).toEqual([0, 'EINVAL']);
    expect(rig.site('f1')).toBe('nop5');
    expect(rig.k.ftrace.directFunctions).toEqual({});
  });

  test('that is unregistered by another address stays in the table: the site is refused for good', () => {
    const wrong = 'unregister_ftrace_direct(direct#1, my_tramp2)';
    const { rig, answers } = ask(
      profile,
      `${REGISTERED}; ${wrong}; ftrace_set_filter_ip(direct#2, f1); register_ftrace_direct(direct#2, my_tramp2)`,
    );
    expect(answers.slice(2)).toEqual([0, 0, 'EBUSY']);
    expect(rig.site('f1')).toBe('nop5');
  });
});
